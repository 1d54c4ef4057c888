import { memo } from "react";
import type { CartItem } from "@/lib/cart-store";
import { gettext, interpolate } from "@/lib/i18n";
import { Button } from "@/ui/button";
import { EmptyState } from "@/ui/empty-state";
import { Notice } from "@/ui/notice";
import { type Problem, ProblemNotice } from "@/ui/problem-notice";
import type { Cart } from "../hooks/use-cart";
import { cardTerms, consentTo } from "../lib/card-terms";
import { refusalOf, shownItems } from "../lib/cart-items";
import type { Guest } from "../lib/guest";
import { cartSums } from "../lib/totals";
import { CartItemCard } from "./cart-item-card";
import { Consent } from "./consent";
import { ContactFields } from "./contact-fields";
import { Sums } from "./totals";
import { type ConfirmedWallet, Wallets } from "./wallets";

interface ShoppingStepProps {
  cart: Cart;
  guest: Guest;
  errors: Partial<Guest>;
  remember: boolean;
  /** The guest tried to continue: show what is missing. */
  strict: boolean;
  /** Nothing can be changed now. */
  busy: boolean;
  problem: Problem | null;
  /** Of a card that a wallet gave. */
  cardProblem: Problem | null;
  canOpenWallet: () => boolean;
  onWallet: (confirmed: ConfirmedWallet) => void;
  onGuestChange: (guest: Guest) => void;
  onRemember: (remember: boolean) => void;
}

/** The cart's items, and beside them on a wide window: what they cost, what happens to the card, and who orders: a wallet, or fields. */
export function ShoppingStep({
  cart,
  guest,
  errors,
  remember,
  strict,
  busy,
  problem,
  cardProblem,
  canOpenWallet,
  onWallet,
  onGuestChange,
  onRemember,
}: ShoppingStepProps) {
  const { items, shop, shown, failed, removed } = cart;
  if (items.length === 0) {
    return (
      <div className={removed ? "cart-shopping cart-emptied" : "stack"}>
        {removed && <Removed item={removed} onUndo={cart.putBack} />}
        <EmptyState title={gettext("Empty Cart")}>
          {gettext("Please add items to your cart before proceeding.")}
        </EmptyState>
      </div>
    );
  }
  if (failed) {
    return (
      <Notice tone="berry" urgent>
        <p>{gettext("We couldn't load your cart. It's saved, and nothing was ordered.")}</p>
        <p>
          <Button onClick={() => void cart.refresh()}>{gettext("Try again")}</Button>
        </p>
      </Notice>
    );
  }
  if (!shop || !shown) {
    return (
      <div className="cart-shopping" role="status">
        <div className="stack">
          <p className="visually-hidden">{gettext("Loading your cart…")}</p>
          {items.map(({ offerId }) => (
            <span key={offerId} className="skeleton h-52 w-full" />
          ))}
        </div>
        <span className="skeleton cart-guest" />
      </div>
    );
  }
  const possible = shown.filter((each) => !refusalOf(each));
  const ordered = possible.map(({ item }) => item);
  const sums = cartSums(ordered, cart.taxRate);
  return (
    <div className="cart-shopping">
      <div className="stack rhythm-6">
        <ProblemNotice problem={problem} />
        <div>
          <Items cart={cart} strict={strict} busy={busy} />
          {shop.address && (
            <p className="cart-place">
              <span className="icon icon-pin" aria-hidden="true" /> {shop.address}
            </p>
          )}
        </div>
      </div>
      {possible.length > 0 && (
        <div className="cart-guest stack rhythm-6">
          <Sums {...sums} taxRate={cart.taxRate} />
          {/* Above the wallets' buttons, because a press on one orders. */}
          <div className="stack rhythm-2 small">
            <p>{cardTerms(possible, shop)}</p>
            <p className="muted">
              <Consent text={consentTo(sums.total, shop)} />
            </p>
          </div>
          <div>
            <Wallets
              shop={shop}
              items={ordered}
              total={sums.total}
              problem={cardProblem}
              canOpen={canOpenWallet}
              onConfirm={onWallet}
            />
            <div inert={busy}>
              <ContactFields
                guest={guest}
                errors={errors}
                remember={remember}
                asksForPhone={cart.asksForPhone}
                onChange={onGuestChange}
                onRemember={onRemember}
              />
            </div>
          </div>
        </div>
      )}
    </div>
  );
}

interface ItemsProps {
  cart: Cart;
  strict: boolean;
  busy: boolean;
}

/** What can be ordered and what can't, in the order in which it is served. */
const Items = memo(function Items({ cart, strict, busy }: ItemsProps) {
  const { items, shop, shown, removed } = cart;
  if (!shop || !shown) return null;
  const possible = shown.filter((each) => !refusalOf(each));
  return (
    <ul className="stack list-none p-0" aria-label={gettext("Specials in your cart")} inert={busy}>
      {shownItems(removed ? [...items, removed] : items, shop.offers).map((each) =>
        each.item.offerId === removed?.offerId ? (
          <li key={removed.offerId} className="cart-item">
            <Removed item={removed} onUndo={cart.putBack} />
          </li>
        ) : (
          <CartItemCard
            key={each.item.offerId}
            shown={each}
            strict={strict}
            taxRate={cart.taxRate}
            saysWhenCharged={possible.length > 1}
            onQuantity={(quantity) => cart.setQuantity(each.item.offerId, quantity)}
            onChange={(changed) => cart.change(each.item.offerId, changed)}
          />
        ),
      )}
    </ul>
  );
});

interface RemovedProps {
  item: CartItem;
  onUndo: (item: CartItem) => void;
}

/** In place of what was just taken out, so that a slip costs no second search. */
function Removed({ item, onUndo }: RemovedProps) {
  return (
    <div className="cart-removed" role="status">
      <p className="small muted">
        {interpolate(gettext("%s was removed from your cart."), [item.name])}
      </p>
      {/* The button that was pressed is gone. */}
      <Button size="small" autoFocus onClick={() => onUndo(item)}>
        {gettext("Undo")}
        <span className="visually-hidden"> {item.name}</span>
      </Button>
    </div>
  );
}
