import { Lock } from "lucide-react";
import type { Special } from "@/api/types";
import { formatCents } from "@/lib/money";
import { EmptyState } from "@/ui/empty-state";
import { type OrderSums, orderSums } from "../lib/order-sums";
import { Quantity } from "./quantity";

export interface TestItem {
  offer: Special;
  portions: number;
}

/** A cart's totals: each item is an order of its own and taxed separately. */
export function cartTotal(items: TestItem[], taxRate: string): OrderSums {
  const total = { subtotal: 0, tax: 0, total: 0 };
  for (const { offer, portions } of items) {
    const sums = orderSums(offer.specialOfferPrice, portions, taxRate);
    total.subtotal += sums.subtotal;
    total.tax += sums.tax;
    total.total += sums.total;
  }
  return total;
}

interface TestCartProps {
  items: TestItem[];
  taxRate: string;
  onPortions: (offer: Special, portions: number) => void;
}

/** The cart as a guest sees it, without the fields for the guest. */
export function TestCart({ items, taxRate, onPortions }: TestCartProps) {
  if (items.length === 0) {
    return (
      <EmptyState title="Empty Cart">Please add items to your cart before proceeding.</EmptyState>
    );
  }
  const sums = cartTotal(items, taxRate);
  return (
    <div className="stack rhythm-5">
      <ul className="stack list-none p-0" aria-label="Specials in the cart">
        {items.map(({ offer, portions }) => (
          <li key={offer.id} className="cart-item">
            <div className="flex items-baseline justify-between gap-4">
              <h3 className="min-w-0">{offer.name}</h3>
              <p className="font-semibold tabular-nums">
                {formatCents(orderSums(offer.specialOfferPrice, portions, taxRate).subtotal)}
              </p>
            </div>
            <Quantity
              name={offer.name}
              value={portions}
              least={0}
              most={offer.perOrderLimit}
              onChange={(next) => onPortions(offer, next)}
            />
          </li>
        ))}
      </ul>
      <dl className="sums">
        <dt>Subtotal</dt>
        <dd>{formatCents(sums.subtotal)}</dd>
        <dt>Tax ({Number(taxRate)}%)</dt>
        <dd>{formatCents(sums.tax)}</dd>
        <dt className="font-semibold">Total</dt>
        <dd className="font-semibold">{formatCents(sums.total)}</dd>
      </dl>
    </div>
  );
}

/** The payment step as a guest sees it, without a card form. */
export function TestPayment({ items, taxRate }: Omit<TestCartProps, "onPortions">) {
  return (
    <div className="stack rhythm-5">
      <p>
        At this point a guest has entered a name, an email, and a phone number, and now enters a
        card. This preview asks for no card and places no hold.
      </p>
      <div
        className="flex min-h-24 items-center justify-center gap-2 rounded-lg border border-dashed border-line bg-sunken p-4 text-muted"
        aria-hidden="true"
      >
        <Lock size="1.125rem" strokeWidth={1.5} /> Card number · Expiry · CVC
      </div>
      <ul className="stack list-none p-0" aria-label="What happens to the card">
        {items.map(({ offer, portions }) => (
          <li key={offer.id} className="cart-item">
            <p>
              <strong>
                {portions} × {offer.name}:{" "}
                {formatCents(orderSums(offer.specialOfferPrice, portions, taxRate).total)}
              </strong>
            </p>
            <p>{offer.cardTerms}</p>
          </li>
        ))}
      </ul>
    </div>
  );
}
