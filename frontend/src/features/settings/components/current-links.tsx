import { ExternalLink } from "lucide-react";
import { platformNames, presentLinks } from "../lib/social-links";

/** The links as guests find them. */
export function CurrentLinks({ links }: { links: Record<string, string> }) {
  const present = presentLinks(links);
  if (present.length === 0) {
    return <p className="muted">No links yet. Saved links appear on your menu under Follow Us.</p>;
  }
  return (
    <ul className="rows">
      {present.map(({ platform, link }) => (
        <li key={platform}>
          <span className="font-semibold">{platformNames[platform]}</span>
          <a href={link} target="_blank" rel="noreferrer" className="min-w-0 break-all">
            {link.replace("https://", "")}
            <ExternalLink
              size="1rem"
              strokeWidth={1.5}
              className="ml-1 inline align-text-bottom"
              aria-hidden="true"
            />
            <span className="sr-only"> (opens in a new tab)</span>
          </a>
        </li>
      ))}
    </ul>
  );
}
