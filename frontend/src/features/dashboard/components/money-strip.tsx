import type { Today } from "@/api/types";
import { formatCents, formatDecimal, parseCents } from "@/lib/money";
import { formatDay } from "@/lib/times";

type Money = NonNullable<Today["money"]>;

/** Whether there is any money to show: a new restaurant has none. */
export const hasMoved = ({ held, charged, payout }: Money) =>
  Number(held) !== 0 || Number(charged) !== 0 || payout !== null;

/** What is held, what was charged, what reaches the bank next, and the tax that isn't the owner's. */
export function MoneyStrip({ money }: { money: Money }) {
  const { held, heldOrders, charged, tax, payout } = money;
  const month = new Intl.DateTimeFormat("en-US", { month: "long" }).format(new Date());
  return (
    <dl className="money-strip" aria-label="Money">
      <div>
        <dt>On hold</dt>
        <dd className="money-figure">{formatDecimal(held)}</dd>
        <dd className="small muted">
          {heldOrders === 1 ? "1 order" : `${heldOrders.toLocaleString("en-US")} orders`}
        </dd>
      </div>
      <div>
        <dt>Charged</dt>
        <dd className="money-figure">{formatDecimal(charged)}</dd>
        <dd className="small muted">in {month}</dd>
      </div>
      <div>
        <dt>Next payout</dt>
        <dd className="money-figure">{payout ? payoutAmount(payout) : "–"}</dd>
        <dd className="small muted">{payout ? formatDay(payout.day) : "Nothing charged yet"}</dd>
      </div>
      <div>
        <dt>Sales tax</dt>
        <dd className="money-figure">{formatDecimal(tax)}</dd>
        <dd className="small muted">You owe this for {month}</dd>
      </div>
    </dl>
  );
}

function payoutAmount({ amount, currency }: NonNullable<Money["payout"]>): string {
  return amount === null ? "Pending" : formatCents(parseCents(amount) ?? 0, currency);
}
