interface ThumbnailProps {
  url: string | null;
  /** The photo itself, where the thumbnail fills a column (`.cart-cover`). */
  large?: string | null;
}

/** A dish's photo beside its name, which says the same; nothing without one. */
export function Thumbnail({ url, large }: ThumbnailProps) {
  if (!url) return null;
  return (
    <picture className="cart-photo">
      {large && <source media={WIDE} srcSet={large} />}
      <img src={url} alt="" loading="lazy" />
    </picture>
  );
}

const WIDE = "(min-width: 60rem)";
