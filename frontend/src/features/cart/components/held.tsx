import type { CartItemResult } from "@/api/types";
import { gettext } from "@/lib/i18n";
import { ButtonLink } from "@/ui/button";
import { heldFor } from "../lib/totals";

/** What the guest can do with an order that is held. The page's script does the sharing. */
export function HeldActions({ item }: { item: CartItemResult }) {
  const name = <span className="visually-hidden"> {item.name}</span>;
  return (
    <p className="cart-actions">
      <ButtonLink size="small" href={item.orderUrl}>
        {gettext("View order")}
        {name}
      </ButtonLink>
      <ButtonLink size="small" href={item.calendarUrl}>
        <span className="icon icon-calendar" aria-hidden="true" />
        {gettext("Calendar")}
        {name}
      </ButtonLink>
      <button
        type="button"
        className="button button-small"
        data-share={item.shareUrl}
        data-share-title={item.name}
      >
        <span className="icon icon-share" aria-hidden="true" />
        <span data-label>{gettext("Share")}</span>
        {name}
      </button>
    </p>
  );
}

/** How much is held in all, below the items. */
export function HeldTotal({ held }: { held: CartItemResult[] }) {
  return (
    <dl className="sum">
      <div className="sum-total">
        <dt>{gettext("Held on your card")}</dt>
        <dd>{heldFor(held)}</dd>
      </div>
    </dl>
  );
}
