import { Download } from "lucide-react";
import type { Announcements } from "@/api/types";
import { ButtonLink } from "@/ui/button";

const KINDS = [
  { kind: "square", label: "Square" },
  { kind: "story", label: "Story" },
];

interface PicturesToPostProps {
  specials: Announcements["specials"];
  language: string;
}

/** Downloads of each special's pictures: Instagram takes a picture and no link. */
export function PicturesToPost({ specials, language }: PicturesToPostProps) {
  if (specials.length === 0) return null;
  return (
    <details className="fold fold-framed" open={specials.length === 1}>
      <summary>Pictures to post</summary>
      <p className="small muted">
        With the price, the seats, and a short address, as they are now.
      </p>
      <ul className="stack rhythm-3">
        {specials.map(({ id, name }) => (
          <li key={id} className="stack rhythm-1.5">
            <p className="break-words">{name}</p>
            <div className="cluster">
              {KINDS.map(({ kind, label }) => (
                <ButtonLink
                  key={kind}
                  size="small"
                  href={`/restaurant/offers/${id}/instagram-${kind}.jpg?lang=${language}`}
                  download
                  aria-label={`Download the ${kind} of ${name}`}
                >
                  <Download size="1rem" strokeWidth={1.5} aria-hidden="true" />
                  {label}
                </ButtonLink>
              ))}
            </div>
          </li>
        ))}
      </ul>
    </details>
  );
}
