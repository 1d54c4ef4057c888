import { useState } from "react";
import { formatCents, parseCents } from "@/lib/money";
import { MoneyInput } from "@/ui/inputs";
import { type FeeSchedule, type FeeTier, formatRate, payoutOf } from "../lib/fees";

const EXAMPLE = "50.00";
/** No order is larger; a larger figure is a typing mistake. */
const MOST_CENTS = 100_000_000;

interface FeeSimulatorProps {
  fees: FeeSchedule;
  current: FeeTier;
}

/**
 * What is left of an order on each tier: the total minus our share and card processing (DECISIONS
 * X3).
 */
export function FeeSimulator({ fees, current }: FeeSimulatorProps) {
  const [typed, setTyped] = useState(EXAMPLE);
  const cents = parseCents(typed);
  const total = cents !== null && cents > 0 && cents <= MOST_CENTS ? cents : null;
  const columns = [
    { name: `Free, first ${fees.freeOffers} specials`, rate: 0, isOwn: current === "free" },
    {
      name: `Free, from special ${fees.freeOffers + 1}`,
      rate: fees.freeRate,
      isOwn: current === "free",
    },
    { name: "Branded", rate: fees.brandedRate, isOwn: current === "branded" },
  ];
  return (
    <section className="card" aria-labelledby="payout">
      <div className="card-body stack">
        <h2 id="payout">What you receive</h2>
        <div className="max-w-72">
          <MoneyInput
            label="Order total, tax included"
            value={typed}
            maxLength={12}
            error={
              total === null
                ? `Enter an amount between ${formatCents(1)} and ${formatCents(MOST_CENTS)}.`
                : undefined
            }
            onChange={({ target }) => setTyped(target.value)}
          />
        </div>
        {total !== null && (
          <div className="payouts" role="status">
            {columns.map(({ name, rate, isOwn }) => {
              const { revenueShare, processing, payout } = payoutOf(fees, total, rate);
              return (
                <div key={name} className="payout" data-own={isOwn || undefined}>
                  <h3>{name}</h3>
                  <dl className="sum">
                    <div>
                      <dt>Order total</dt>
                      <dd>{formatCents(total)}</dd>
                    </div>
                    <div>
                      <dt>Revenue share ({formatRate(rate)})</dt>
                      <dd>−{formatCents(revenueShare)}</dd>
                    </div>
                    <div>
                      <dt>Card processing</dt>
                      <dd>−{formatCents(processing)}</dd>
                    </div>
                    <div className="sum-total">
                      <dt>You receive</dt>
                      <dd>{formatCents(payout)}</dd>
                    </div>
                  </dl>
                </div>
              );
            })}
          </div>
        )}
      </div>
    </section>
  );
}
