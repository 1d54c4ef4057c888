interface ThumbnailProps {
  url: string | null;
  small?: boolean;
}

/** A dish's photo beside its name, which says the same; nothing without one. */
export function Thumbnail({ url, small = false }: ThumbnailProps) {
  if (!url) return null;
  return (
    <img
      className={`${small ? "size-6" : "size-18"} shrink-0 rounded-lg object-cover`}
      src={url}
      alt=""
      loading="lazy"
    />
  );
}
