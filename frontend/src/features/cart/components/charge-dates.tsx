import { gettext, interpolate, ngettext } from "@/lib/i18n";
import { formatCents } from "@/lib/money";
import { unbroken } from "../lib/card-terms";
import type { ShownItem } from "../lib/cart-items";
import { cartSums } from "../lib/totals";

/** When the card is charged for each of several specials, and on what condition if more must order. */
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
              {offer && offer.portionsMissing > item.quantity && (
                <span className="muted">, {condition(offer.minPreordersRequired)}</span>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}

const condition = (minimum: number) =>
  interpolate(ngettext("if %s portion is ordered", "if %s portions are ordered", minimum), [
    minimum,
  ]);
