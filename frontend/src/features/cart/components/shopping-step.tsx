import { gettext } from "@/lib/i18n";
import { Button } from "@/ui/button";
import { EmptyState } from "@/ui/empty-state";
import { Notice } from "@/ui/notice";
import type { Customer } from "../api/cart";
import type { Cart } from "../hooks/use-cart";
import { refusalOf } from "../lib/lines";
import { cartSums } from "../lib/sums";
import { ContactFields } from "./contact-fields";
import { LineCard } from "./line-card";
import { Sums } from "./sums";
import { type Problem, Trouble } from "./trouble";

interface ShoppingStepProps {
  cart: Cart;
  customer: Customer;
  faults: Partial<Customer>;
  remember: boolean;
  /** Going on was tried: say what is missing. */
  strict: boolean;
  problem: Problem | null;
  onCustomer: (customer: Customer) => void;
  onRemember: (remember: boolean) => void;
}

/** What is in the cart, who it is for, and what it comes to. */
export function ShoppingStep({
  cart,
  customer,
  faults,
  remember,
  strict,
  problem,
  onCustomer,
  onRemember,
}: ShoppingStepProps) {
  const { lines, shown, failed } = cart;
  if (lines.length === 0) {
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
    possible.map(({ line }) => line),
    cart.taxRate,
  );
  return (
    <div className="stack [--gap:1.5rem]">
      <Trouble problem={problem} />
      <ul className="stack list-none p-0" aria-label={gettext("Specials in your cart")}>
        {shown.map((each) => (
          <LineCard
            key={each.line.offerId}
            shown={each}
            strict={strict}
            onQuantity={(quantity) => cart.setQuantity(each.line.offerId, quantity)}
            onChange={(changed) => cart.change(each.line.offerId, changed)}
          />
        ))}
      </ul>
      {possible.length > 0 && (
        <>
          <ContactFields
            customer={customer}
            faults={faults}
            remember={remember}
            onChange={onCustomer}
            onRemember={onRemember}
          />
          <Sums {...sums} taxRate={cart.taxRate} />
        </>
      )}
    </div>
  );
}
