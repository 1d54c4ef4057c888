import { CircleAlert, CircleCheck, ExternalLink } from "lucide-react";
import type { Platform } from "@/api/types";
import { ButtonLink } from "@/ui/button";
import type { Posted } from "../hooks/use-announcing";

export const platformNames: Record<Platform, string> = {
  facebook: "Facebook",
  instagram: "Instagram",
  twitter: "Twitter",
};

/** The result of each platform, with the way on where there is one. */
export function PostingStatus({ posted }: { posted: Posted[] }) {
  return (
    <ul className="stack rhythm-2" aria-label="Posting status" aria-live="polite">
      {posted.map(({ platform, success, message, url, opened }) => {
        const Icon = success ? CircleCheck : CircleAlert;
        const name = platformNames[platform];
        const heldBack = success && !opened && platform !== "instagram";
        return (
          <li key={platform} className="posting">
            <Icon
              size="1.25rem"
              strokeWidth={1.5}
              aria-hidden="true"
              className={success ? "text-herb" : "text-berry"}
            />
            <p className="min-w-0">
              <strong>{name}</strong>
              <span className="sr-only">{success ? ", done:" : ", failed:"}</span>{" "}
              <span className="muted">
                {heldBack ? `Ready. Press Open ${name} to continue.` : message}
              </span>
            </p>
            {url && (
              <ButtonLink size="small" href={url} target="_blank" rel="noopener noreferrer">
                <ExternalLink size="1rem" strokeWidth={1.5} aria-hidden="true" />
                Open {name}
              </ButtonLink>
            )}
          </li>
        );
      })}
    </ul>
  );
}
