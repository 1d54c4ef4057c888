import type { CartItemResult, CartResult } from "@/api/types";
import { gettext } from "@/lib/i18n";
import { Button, ButtonLink } from "@/ui/button";
import { Seats } from "@/ui/seats";
import { unbroken } from "../lib/card-terms";

/** Whether more must be ordered before a held special is on: its guest had better tell a friend. */
export const isHeldShort = ({ status, isShort }: CartItemResult): boolean =>
  status === "held" && isShort;

/** Where the guest goes, whatever they ordered. */
export function Where({ address, directionsUrl }: CartResult) {
  return address ? (
    <p className="cart-where">
      <span className="icon icon-pin" aria-hidden="true" />
      <a href={directionsUrl} rel="noopener noreferrer">
        {address}
      </a>
    </p>
  ) : null;
}

/** How close it is to being on, when the card is charged, and what to know and show on arrival. */
export function HeldFacts({ item }: { item: CartItemResult }) {
  return (
    <div className="stack rhythm-1 small">
      <Seats
        small
        counted
        state={item.seatsState}
        sentence={item.seatsSentence}
        filled={item.orderedPortions}
        minimum={item.minPreordersRequired}
        maximum={null}
        own={item.quantity}
      />
      <p className="muted">{unbroken(item.chargeTerms)}</p>
      {item.arrivalNotes.map((note) => (
        <p key={note} className="muted">
          {note}
        </p>
      ))}
      <p>
        {gettext("Show on arrival")}: <strong className="tracking-wide">{item.code}</strong>
      </p>
    </div>
  );
}

interface HeldActionsProps {
  item: CartItemResult;
  /** Nothing else needs the guest's card, so friends can be invited. */
  invites: boolean;
  /** The first dish that is short: it's the next thing to do. */
  leads: boolean;
}

/** What to do with a held order; its page has the rest. */
export function HeldActions({ item, invites, leads }: HeldActionsProps) {
  const ofItem = <span className="visually-hidden"> {item.name}</span>;
  return (
    <div className="cart-actions">
      {invites && isHeldShort(item) && (
        // The page's script does the sharing.
        <Button
          size="small"
          variant={leads ? "primary" : undefined}
          data-share={item.shareUrl}
          data-share-title={item.name}
        >
          <span className="icon icon-share" aria-hidden="true" />
          <span data-label>{gettext("Invite friends")}</span>
          {ofItem}
        </Button>
      )}
      <ButtonLink size="small" href={item.calendarUrl}>
        <span className="icon icon-calendar" aria-hidden="true" />
        {gettext("Calendar")}
        {ofItem}
      </ButtonLink>
      <ButtonLink size="small" href={item.orderUrl}>
        {gettext("View or change")}
        {ofItem}
      </ButtonLink>
    </div>
  );
}
