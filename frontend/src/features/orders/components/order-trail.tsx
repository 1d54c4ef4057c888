import { Check, Circle, StickyNote, TriangleAlert } from "lucide-react";
import type { TrailEntry } from "@/api/types";
import { formatMoment } from "@/lib/times";

const icons = { plain: Circle, good: Check, bad: TriangleAlert, note: StickyNote };

/** Everything that happened to an order, newest first, in plain words. */
export function OrderTrail({ trail, timeZone }: { trail: TrailEntry[]; timeZone: string }) {
  return (
    <ol className="trail">
      {trail.map((entry, place) => {
        const Icon = icons[entry.tone];
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: counted from the end, entries stay put
          <li key={trail.length - place} data-tone={entry.tone}>
            <span className="trail-mark" aria-hidden="true">
              <Icon size={14} strokeWidth={2} />
            </span>
            <div className="min-w-0">
              <p className="trail-text">{entry.text}</p>
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
