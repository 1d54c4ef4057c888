import { gettext } from "@/lib/i18n";
import { Button } from "@/ui/button";
import { EmptyState } from "@/ui/empty-state";
import { Notice } from "@/ui/notice";
import { type Problem, ProblemNotice } from "@/ui/problem-notice";
import type { Cart } from "../hooks/use-cart";
import { refusalOf } from "../lib/cart-items";
import type { Guest } from "../lib/guest";
import { cartSums } from "../lib/totals";
import { CartItemCard } from "./cart-item-card";
import { ContactFields } from "./contact-fields";
import { Sums } from "./totals";

interface ShoppingStepProps {
  cart: Cart;
  guest: Guest;
  errors: Partial<Guest>;
  remember: boolean;
  /** The guest tried to continue: show what is missing. */
  strict: boolean;
  problem: Problem | null;
  onGuestChange: (guest: Guest) => void;
  onRemember: (remember: boolean) => void;
}

/** The cart's items, the guest's details and the totals. */
export function ShoppingStep({
  cart,
  guest,
  errors,
  remember,
  strict,
  problem,
  onGuestChange,
  onRemember,
}: ShoppingStepProps) {
  const { items, shown, failed } = cart;
  if (items.length === 0) {
    return (
      <EmptyState title={gettext("Empty Cart")}>
        {gettext("Please add items to your cart before proceeding.")}
      </EmptyState>
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
  if (!shown) {
    return (
      <div className="stack" role="status">
        <p className="visually-hidden">{gettext("Loading your cart…")}</p>
        <span className="skeleton h-24 w-full" />
        <span className="skeleton h-24 w-full" />
      </div>
    );
  }
  const possible = shown.filter((each) => !refusalOf(each));
  const sums = cartSums(
    possible.map(({ item }) => item),
    cart.taxRate,
  );
  return (
    <div className="stack rhythm-6">
      <ProblemNotice problem={problem} />
      <ul className="stack list-none p-0" aria-label={gettext("Specials in your cart")}>
        {shown.map((each) => (
          <CartItemCard
            key={each.item.offerId}
            shown={each}
            strict={strict}
            alone={shown.length === 1}
            onQuantity={(quantity) => cart.setQuantity(each.item.offerId, quantity)}
            onChange={(changed) => cart.change(each.item.offerId, changed)}
          />
        ))}
      </ul>
      {possible.length > 0 && (
        <>
          <ContactFields
            guest={guest}
            errors={errors}
            remember={remember}
            asksForPhone={cart.asksForPhone}
            onChange={onGuestChange}
            onRemember={onRemember}
          />
          <Sums {...sums} taxRate={cart.taxRate} />
          {shown.length > 1 && (
            <p className="small">
              {gettext("No charge yet. You'll pay only for the specials that go ahead.")}
            </p>
          )}
        </>
      )}
    </div>
  );
}
