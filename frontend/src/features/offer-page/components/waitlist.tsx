import type { Overview } from "@/api/types";
import { formatMoment } from "@/lib/times";
import { Badge } from "@/ui/badge";

/** The waitlist of a full special, first come first; nothing while it is empty. */
export function Waitlist({
  entries,
  timeZone,
}: {
  entries: Overview["waitlist"];
  timeZone: string;
}) {
  if (entries.length === 0) return null;
  const portions = entries.reduce((sum, entry) => sum + entry.portions, 0);
  return (
    <section className="stack" aria-labelledby="waiting-title">
      <div className="stack rhythm-1">
        <h2 id="waiting-title">Waitlist</h2>
        <p className="muted">
          {entries.length === 1 ? "1 guest is waiting" : `${entries.length} guests are waiting`} for{" "}
          {portions === 1 ? "1 portion" : `${portions} portions`}. When portions open up, we offer
          them to the first guest they're enough for.
        </p>
      </div>
      <ol className="rows">
        {entries.map((entry, index) => (
          <li key={entry.id} className="flex flex-wrap items-center justify-between gap-2">
            <div className="min-w-0">
              <p className="font-semibold break-words">{entry.name ?? `Guest ${index + 1}`}</p>
              <p className="small muted break-words">
                {entry.portions === 1 ? "1 portion" : `${entry.portions} portions`}, since{" "}
                <time dateTime={entry.joinedAt}>{formatMoment(entry.joinedAt, timeZone)}</time>
                {entry.email && (
                  <>
                    {" · "}
                    <a href={`mailto:${entry.email}`}>{entry.email}</a>
                  </>
                )}
              </p>
            </div>
            {entry.reservedUntil && (
              <Badge tone="honey">Held until {formatMoment(entry.reservedUntil, timeZone)}</Badge>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
