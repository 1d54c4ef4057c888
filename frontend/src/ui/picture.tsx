import { useState } from "react";

interface PictureProps {
  url: string | null;
  srcset?: string | null;
  /** CSS sizes of the box, for the browser's choice among the widths. */
  sizes?: string;
  alt: string;
}

/** A dish's picture in a 4:3 box; the drawn plate if there is none or it can't be loaded. */
export function Picture({ url, srcset, sizes, alt }: PictureProps) {
  const [broken, setBroken] = useState<string | null>(null);
  return (
    <div className="media">
      {url && broken !== url ? (
        <img
          src={url}
          srcSet={srcset ?? undefined}
          sizes={sizes}
          alt={alt}
          width={800}
          height={600}
          loading="lazy"
          decoding="async"
          onError={() => setBroken(url)}
        />
      ) : (
        <span className="plate" aria-hidden="true" />
      )}
    </div>
  );
}
