import type { Overview } from "@/api/types";
import { formatMoment } from "@/lib/times";
import { Badge } from "@/ui/badge";

/** Who waits for a portion to come free, the first in line first; nothing while nobody does. */
export function WaitingLine({ line, timeZone }: { line: Overview["line"]; timeZone: string }) {
  if (line.length === 0) return null;
  const portions = line.reduce((sum, place) => sum + place.portions, 0);
  return (
    <section className="stack" aria-labelledby="waiting-title">
      <div className="stack [--gap:0.25rem]">
        <h2 id="waiting-title">Waitlist</h2>
        <p className="muted">
          {line.length === 1 ? "1 guest is waiting" : `${line.length} guests are waiting`} for{" "}
          {portions === 1 ? "1 portion" : `${portions} portions`}. When portions open up, we offer
          them to the first guest they're enough for.
        </p>
      </div>
      <ol className="rows">
        {line.map((place, index) => (
          <li key={place.id} className="flex flex-wrap items-center justify-between gap-2">
            <div className="min-w-0">
              <p className="font-semibold break-words">{place.name ?? `Guest ${index + 1}`}</p>
              <p className="small muted break-words">
                {place.portions === 1 ? "1 portion" : `${place.portions} portions`}, since{" "}
                <time dateTime={place.joinedAt}>{formatMoment(place.joinedAt, timeZone)}</time>
                {place.email && (
                  <>
                    {" · "}
                    <a href={`mailto:${place.email}`}>{place.email}</a>
                  </>
                )}
              </p>
            </div>
            {place.heldUntil && (
              <Badge tone="honey">Held until {formatMoment(place.heldUntil, timeZone)}</Badge>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
