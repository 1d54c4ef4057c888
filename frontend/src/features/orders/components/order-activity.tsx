import { Check, Circle, StickyNote, TriangleAlert } from "lucide-react";
import type { ActivityEntry } from "@/api/types";
import { formatMoment } from "@/lib/times";

const icons = { plain: Circle, good: Check, bad: TriangleAlert, note: StickyNote };

/** Everything that happened to an order, newest first, in plain words. */
export function OrderActivity({
  entries,
  timeZone,
}: {
  entries: ActivityEntry[];
  timeZone: string;
}) {
  return (
    <ol className="activity">
      {entries.map((entry, index) => {
        const Icon = icons[entry.tone];
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: counted from the end, entries stay put
          <li key={entries.length - index} data-tone={entry.tone}>
            <span className="activity-mark" aria-hidden="true">
              <Icon size="0.875rem" strokeWidth={2} />
            </span>
            <div className="min-w-0">
              <p className="activity-text">{entry.text}</p>
              {entry.detail && <p className="small break-words">{entry.detail}</p>}
              <p className="small muted">
                <time dateTime={entry.at}>{formatMoment(entry.at, timeZone)}</time>
                {entry.by && <> · {entry.by}</>}
              </p>
            </div>
          </li>
        );
      })}
    </ol>
  );
}
