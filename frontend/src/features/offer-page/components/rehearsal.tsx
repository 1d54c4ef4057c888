import { CircleCheck, CircleSlash } from "lucide-react";
import type { OrderGroup, Rehearsal } from "@/api/types";
import { formatDecimal, lessDecimal } from "@/lib/money";
import { classNames } from "@/ui/class-names";

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? "" : "s"}`;

interface Fate {
  label: string;
  noun: string;
  group: OrderGroup;
  tone: string;
}

/** Which orders are charged, released or refunded; empty groups are left out. */
function fates({ charged, alternative, released, refunded }: Rehearsal): Fate[] {
  return [
    { label: "Charged", noun: "card", group: charged, tone: "text-herb" },
    { label: "Charged for the alternative", noun: "card", group: alternative, tone: "text-herb" },
    { label: "Released", noun: "hold", group: released, tone: "text-muted" },
    { label: "Refunded", noun: "charge", group: refunded, tone: "text-muted" },
  ].filter(({ group }) => group.orders > 0);
}

/** "If it closed now": the deadline's own decision, rehearsed. */
export function RehearsalCard({
  rehearsal,
  title = "If it closed right now",
}: {
  rehearsal: Rehearsal;
  title?: string;
}) {
  const { goesAhead, portions, minimum, restaurantPortions, waiting, sums, sentence } = rehearsal;
  const Icon = goesAhead ? CircleCheck : CircleSlash;
  const groups = fates(rehearsal);
  return (
    <section className="card" aria-labelledby="rehearsal-title">
      <div className="card-body stack rhythm-5">
        <div className="stack rhythm-1.5">
          <h2 id="rehearsal-title">{title}</h2>
          <p
            className={classNames(
              "flex gap-2 font-semibold",
              goesAhead ? "text-herb" : "text-berry",
            )}
          >
            <Icon
              size="1.375rem"
              strokeWidth={1.75}
              className="mt-0.5 shrink-0"
              aria-hidden="true"
            />
            <span>{sentence}</span>
          </p>
          <p className="small muted">
            {count(portions, "portion")} ordered, minimum {minimum}
            {restaurantPortions > 0 && `, ${restaurantPortions} of them yours`}
            {waiting > 0 && `. ${count(waiting, "portion")} in checkout may still join`}.
          </p>
        </div>
        {groups.length > 0 && (
          <dl className="offer-groups">
            {groups.map(({ label, noun, group, tone }) => (
              <div key={label}>
                <dt className={classNames("small font-semibold", tone)}>{label}</dt>
                <dd>
                  <strong>{count(group.orders, noun)}</strong>
                  <span className="small muted">
                    {count(group.portions, "portion")}
                    {group.amount && ` · ${formatDecimal(group.amount)}`}
                  </span>
                </dd>
              </div>
            ))}
          </dl>
        )}
        {sums.gross !== null && Number(sums.gross) > 0 && (
          <dl className="sum">
            <div>
              <dt>Total charged, tax included</dt>
              <dd>{formatDecimal(sums.gross)}</dd>
            </div>
            <div className="muted">
              <dt>Revenue share</dt>
              <dd>{lessDecimal(sums.revenueShare ?? "0.00")}</dd>
            </div>
            <div className="muted">
              <dt>Card processing</dt>
              <dd>{lessDecimal(sums.processingFee ?? "0.00")}</dd>
            </div>
            <div className="sum-total">
              <dt>You receive</dt>
              <dd>{formatDecimal(sums.payout ?? "0.00")}</dd>
            </div>
            <div className="small muted">
              <dt>including sales tax you owe</dt>
              <dd>{formatDecimal(sums.tax ?? "0.00")}</dd>
            </div>
          </dl>
        )}
      </div>
    </section>
  );
}
