import { Notice } from "./notice";

/** For an owner whose country Stripe doesn't serve. */
export function UnpaidCountry() {
  return (
    <Notice tone="honey">
      <p>
        Stripe, which handles our payments, can't pay restaurants in this country yet. You can set
        up your menu and specials, but guests can't pre-order.
      </p>
    </Notice>
  );
}
