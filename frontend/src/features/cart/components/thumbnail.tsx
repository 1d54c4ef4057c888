/** A dish's photo beside its name, which says the same; nothing without one. */
export function Thumbnail({ url }: { url: string | null }) {
  if (!url) return null;
  return (
    <img className="size-14 shrink-0 rounded-lg object-cover" src={url} alt="" loading="lazy" />
  );
}
