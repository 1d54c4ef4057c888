import type { OfferChange } from "@/api/types";
import { formatMoment } from "@/lib/times";

/** Change log since publication, the newest first. */
export function Changes({ changes, timeZone }: { changes: OfferChange[]; timeZone: string }) {
  return (
    <section className="stack" aria-labelledby="changes-title">
      <h2 id="changes-title">Change log</h2>
      {changes.length === 0 ? (
        <p className="muted">No changes since it was published.</p>
      ) : (
        <ol className="rows">
          {changes.map((change) => (
            <li key={`${change.at}${change.detail}`}>
              <div className="min-w-0">
                <p className="font-semibold break-words">{change.detail}</p>
                <p className="small muted break-words">
                  <time dateTime={change.at}>{formatMoment(change.at, timeZone)}</time>
                  {change.by && ` · ${change.by}`}
                  {change.guestsTold > 0 &&
                    ` · ${change.guestsTold === 1 ? "1 guest was" : `${change.guestsTold} guests were`} told by email`}
                </p>
              </div>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
