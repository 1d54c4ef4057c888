import { formatDate, formatMoment } from "@/lib/times";
import { Button } from "@/ui/button";
import { CopyButton } from "@/ui/copy-button";
import { useAnnouncements } from "../api/get-announcements";
import { useCancelReminder } from "../api/remind-to-post";
import { platformNames } from "./posting-status";

/** What was announced before, to be used again. */
export function FormerAnnouncements() {
  const places = useAnnouncements().data;
  const announcements = places?.announcements ?? [];
  const cancel = useCancelReminder();
  if (announcements.length === 0) return null;
  return (
    <details className="fold fold-framed">
      <summary>Past announcements ({announcements.length})</summary>
      <ul className="stack">
        {announcements.map(({ id, message, platforms, createdAt, remindAt }) => (
          <li key={id} className="stack rhythm-2 border-t border-line pt-3">
            <p className="small muted">
              {formatDate(createdAt)}
              {platforms.length > 0 &&
                `, on ${platforms.map((platform) => platformNames[platform]).join(", ")}`}
            </p>
            <p className="small break-words whitespace-pre-line">{message}</p>
            {remindAt && (
              <p className="cluster small">
                <span>We'll remind you on {formatMoment(remindAt, places?.timezone)}.</span>
                <Button size="small" variant="quiet" onClick={() => cancel.mutate(id)}>
                  Cancel reminder
                </Button>
              </p>
            )}
            <CopyButton
              size="small"
              text={message}
              label="Copy text"
              done="Text copied!"
              accessibleLabel={`Copy the announcement of ${formatDate(createdAt)}`}
            />
          </li>
        ))}
      </ul>
    </details>
  );
}
