import type { OrderDetail } from "@/api/types";
import { formatDecimal } from "@/lib/money";

const takenAway = (decimal: string) =>
  Number(decimal) === 0 ? formatDecimal(decimal) : `−${formatDecimal(decimal)}`;

/** An order's money from the price of a portion to what is paid out. */
export function OrderMoney({ detail }: { detail: OrderDetail }) {
  const { order, money } = detail;
  const refunded = Number(money.refunded) > 0;
  const taken = order.paymentStatus === "captured" || order.paymentStatus === "refunded";
  const lost = order.status === "cancelled" && !taken;
  return (
    <dl className="sum">
      <div>
        <dt>
          {order.quantity} × {formatDecimal(money.unitPrice)}
        </dt>
        <dd>{formatDecimal(money.subtotal)}</dd>
      </div>
      <div>
        <dt>Tax, {Number(money.taxRate)}%</dt>
        <dd>{formatDecimal(money.tax)}</dd>
      </div>
      <div className="sum-total">
        <dt>{taken ? "Guest paid" : "Total"}</dt>
        <dd>{formatDecimal(money.total)}</dd>
      </div>
      {refunded && (
        <div>
          <dt>Refunded</dt>
          <dd>{takenAway(money.refunded)}</dd>
        </div>
      )}
      {Number(money.disputed) > 0 && (
        <div>
          <dt>Disputed</dt>
          <dd>{takenAway(money.disputed)}</dd>
        </div>
      )}
      {!lost && (
        <>
          <div>
            <dt>Platform fee</dt>
            <dd>{takenAway(money.revenueShare)}</dd>
          </div>
          <div>
            <dt>Card processing</dt>
            <dd>{takenAway(money.processingFee)}</dd>
          </div>
        </>
      )}
      <div className="sum-total">
        <dt>
          {lost ? "No charge. You receive" : taken ? "You receive" : "You receive if charged"}
        </dt>
        <dd>{formatDecimal(money.payout)}</dd>
      </div>
    </dl>
  );
}
