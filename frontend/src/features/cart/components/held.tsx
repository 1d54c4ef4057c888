import type { CartItemResult, CartResult } from "@/api/types";
import { gettext, ngettext } from "@/lib/i18n";
import { Button, ButtonLink } from "@/ui/button";
import { Seats } from "@/ui/seats";
import { unbroken } from "../lib/card-terms";

export const isHeld = ({ status }: CartItemResult): boolean => status === "held";

/** Whether more must be ordered before a held special is on: its guest had better tell a friend. */
export const isHeldShort = (item: CartItemResult): boolean => isHeld(item) && item.isShort;

const missing = (item: CartItemResult): number => item.minPreordersRequired - item.orderedPortions;

/** Of what is held and short, the special that needs the fewest more; the first of several. */
export const closestToOn = (items: CartItemResult[]): CartItemResult | undefined =>
  items.filter(isHeldShort).sort((one, other) => missing(one) - missing(other))[0];

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

/** How close it is to being on, when the card is charged, and its code. */
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
      <p>
        {gettext("Order code")}: <strong className="tracking-wide">{item.code}</strong>
      </p>
    </div>
  );
}

interface OnArrivalProps {
  /** How many are held. */
  dishes: number;
  /** None in a result that an earlier version stored in the tab. */
  notes?: string[];
}

/** What to know and to show on arrival, said once for all dishes. */
export function OnArrival({ dishes, notes = [] }: OnArrivalProps) {
  if (dishes === 0) return null;
  return (
    <section className="stack rhythm-1 small">
      <h3>{gettext("When you arrive")}</h3>
      {notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
      <p>
        {ngettext(
          "Show or say the code of your dish.",
          "Show or say the code of each dish.",
          dishes,
        )}
      </p>
    </section>
  );
}

/** Whether friends can still join a held order, as its page offers. */
export const canInvite = (item: CartItemResult): boolean =>
  isHeldShort(item) || (isHeld(item) && item.seatsState === "on");

interface HeldActionsProps {
  item: CartItemResult;
  /** Nothing else needs the guest's card, so friends can be invited. */
  invites: boolean;
  /** Of all that is short, this is the closest to being on: what the page asks for above all. */
  invitesFirst: boolean;
}

/** What to do with a held order; its page has the rest. */
export function HeldActions({ item, invites, invitesFirst }: HeldActionsProps) {
  const ofItem = <span className="visually-hidden"> {item.name}</span>;
  return (
    <div className="cart-actions">
      {invites && canInvite(item) && (
        // The page's script does the sharing.
        <Button
          size="small"
          variant={invitesFirst ? "primary" : "secondary"}
          data-share={item.shareUrl}
          data-share-text={item.shareText}
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
        <span className="icon icon-pencil" aria-hidden="true" />
        {gettext("View or change")}
        {ofItem}
      </ButtonLink>
    </div>
  );
}
