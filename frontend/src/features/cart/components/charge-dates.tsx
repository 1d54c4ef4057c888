import { gettext } from "@/lib/i18n";
import { formatCents } from "@/lib/money";
import { unbroken } from "../lib/card-terms";
import type { ShownItem } from "../lib/cart-items";
import { cartSums } from "../lib/totals";

/** When the card is charged for each of several specials, and on what condition. */
export function ChargeDates({ items, taxRate }: { items: ShownItem[]; taxRate: string }) {
  return (
    <>
      <p className="font-semibold">{gettext("When we'll charge your card")}</p>
      <dl className="cart-dates">
        {items.map(({ item, offer }) => (
          <div key={item.offerId}>
            <dt>{unbroken(offer?.chargedOn ?? "")}</dt>
            <dd>
              <strong className="tabular-nums">
                {formatCents(cartSums([item], taxRate).total)}
              </strong>{" "}
              {item.name}
              {offer?.chargeClause && <span className="muted">, {offer.chargeClause}</span>}
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}
