import type { CartItemResult } from "@/api/types";
import { gettext } from "@/lib/i18n";
import { Button } from "@/ui/button";
import { ItemTerms } from "./item-terms";

/** Whether more must be ordered before a held special is on: its guest had better tell a friend. */
export const isHeldShort = ({ status, isShort }: CartItemResult): boolean =>
  status === "held" && isShort;

/** Where the guest goes, whatever they ordered. */
export function Where({ address }: { address: string }) {
  return address ? (
    <p className="small muted">
      <span className="icon icon-pin" aria-hidden="true" /> {address}
    </p>
  ) : null;
}

/** How close it is to being on, when the card is charged, its code, and the way to its page. */
export function HeldFacts({ item }: { item: CartItemResult }) {
  return (
    <>
      <ItemTerms item={item} />
      <p className="cart-name small">
        <span className="muted">
          {gettext("Order code")} <strong className="text-ink tracking-wide">{item.code}</strong>
        </span>
        <a className="cart-view" href={item.orderUrl}>
          {gettext("View order")}
          <span className="visually-hidden"> {item.name}</span>
        </a>
      </p>
    </>
  );
}

interface InviteFriendsProps {
  item: CartItemResult;
  /** The first dish that is short: it's the next thing to do. */
  leads: boolean;
}

/** The page's script does the sharing. */
export function InviteFriends({ item, leads }: InviteFriendsProps) {
  return (
    <Button
      size="small"
      variant={leads ? "primary" : undefined}
      data-share={item.shareUrl}
      data-share-title={item.name}
    >
      <span className="icon icon-share" aria-hidden="true" />
      <span data-label>{gettext("Invite friends")}</span>
      <span className="visually-hidden"> {item.name}</span>
    </Button>
  );
}
