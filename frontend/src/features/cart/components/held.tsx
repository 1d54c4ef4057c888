import type { CartItemResult } from "@/api/types";
import { gettext } from "@/lib/i18n";
import { ButtonLink, buttonClass } from "@/ui/button";
import { ItemTerms } from "./item-terms";

/** Whether more must be ordered before a held special is on: its guest had better tell a friend. */
export const isHeldShort = ({ status, isShort }: CartItemResult): boolean =>
  status === "held" && isShort;

/** How close it is to being on, when the card is charged, and what the restaurant asks for. */
export function HeldFacts({ item }: { item: CartItemResult }) {
  return (
    <>
      <ItemTerms item={item} />
      <p className="small muted">
        {gettext("Order code")} <strong className="text-ink tracking-wide">{item.code}</strong>
      </p>
    </>
  );
}

interface HeldActionsProps {
  item: CartItemResult;
  /** Sharing is what helps most. */
  leads: boolean;
}

/** What the guest can do with an order that is held. The page's script does the sharing. */
export function HeldActions({ item, leads }: HeldActionsProps) {
  const name = <span className="visually-hidden"> {item.name}</span>;
  const share = (
    <button
      type="button"
      className={buttonClass({ size: "small", variant: leads ? "primary" : undefined })}
      data-share={item.shareUrl}
      data-share-title={item.name}
    >
      <span className="icon icon-share" aria-hidden="true" />
      <span data-label>{leads ? gettext("Invite friends") : gettext("Share")}</span>
      {name}
    </button>
  );
  return (
    <p className="cart-actions">
      {leads && (
        <>
          {share}
          <ButtonLink size="small" href={item.whatsappUrl} target="_blank" rel="noopener">
            <span className="icon icon-message" aria-hidden="true" />
            WhatsApp
            {name}
          </ButtonLink>
        </>
      )}
      <ButtonLink size="small" href={item.orderUrl}>
        {gettext("View order")}
        {name}
      </ButtonLink>
      <ButtonLink size="small" href={item.calendarUrl}>
        <span className="icon icon-calendar" aria-hidden="true" />
        {gettext("Calendar")}
        {name}
      </ButtonLink>
      {!leads && share}
    </p>
  );
}
