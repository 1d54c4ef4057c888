import type { Outcome } from "@/api/types";
import { formatDecimal, lessDecimal } from "@/lib/money";
import { formatDay } from "@/lib/times";

/** The result, from the orders and the ledger as they are now. */
export function OutcomeCard({ outcome }: { outcome: Outcome }) {
  const { record, gross, refunded } = outcome;
  const facts = [
    ["Portions charged", String(outcome.chargedPortions)],
    ["Picked up", String(outcome.pickedUp)],
    ["No-shows", String(outcome.noShows)],
    ...(outcome.lapsed > 0 ? [["Charges that failed", String(outcome.lapsed)]] : []),
  ];
  return (
    <section className="card" aria-labelledby="outcome-title">
      <div className="card-body stack rhythm-5">
        <div className="stack rhythm-1.5">
          <h2 id="outcome-title">Results</h2>
          <p className="font-semibold">{outcome.sentence}</p>
          {record.decided > 1 && (
            <p className="small muted">
              {record.succeeded} of your {record.decided} specials have gone ahead.
            </p>
          )}
        </div>
        {outcome.chargedOrders > 0 && (
          <dl className="offer-groups">
            {facts.map(([label, value]) => (
              <div key={label}>
                <dt className="small muted">{label}</dt>
                <dd>
                  <strong>{value}</strong>
                </dd>
              </div>
            ))}
          </dl>
        )}
        {gross !== null && Number(gross) > 0 && (
          <dl className="sum">
            <div>
              <dt>Charged, tax included</dt>
              <dd>{formatDecimal(gross)}</dd>
            </div>
            {refunded !== null && Number(refunded) > 0 && (
              <div>
                <dt>Refunded since</dt>
                <dd>−{formatDecimal(refunded)}</dd>
              </div>
            )}
            <div className="muted">
              <dt>Revenue share</dt>
              <dd>{lessDecimal(outcome.revenueShare ?? "0.00")}</dd>
            </div>
            <div className="muted">
              <dt>Card processing</dt>
              <dd>{lessDecimal(outcome.processingFee ?? "0.00")}</dd>
            </div>
            <div className="sum-total">
              <dt>You receive</dt>
              <dd>{formatDecimal(outcome.payout ?? "0.00")}</dd>
            </div>
            <div className="small muted">
              <dt>Sent to your bank</dt>
              <dd>{formatDay(outcome.payoutDay)}</dd>
            </div>
          </dl>
        )}
      </div>
    </section>
  );
}
