import type { StripeElementsOptionsMode } from "@stripe/stripe-js";
import type { CartOffers } from "@/api/types";
import { fieldsLook } from "@/lib/processor";

/**
 * What Elements are created with before there is an intent, for the wallets' buttons and for card
 * fields: the same as the intent that is confirmed with them. `items` is how many specials are
 * ordered, `total` what they cost in cents. The card for several holds is saved first, without an
 * amount.
 * https://docs.stripe.com/js/elements_object/create_without_intent.md
 * https://docs.stripe.com/payments/accept-a-payment-deferred.md
 */
export function elementsOptions(
  items: number,
  total: number,
  { currency, onBehalfOf }: Pick<CartOffers, "currency" | "onBehalfOf">,
): StripeElementsOptionsMode {
  const options = {
    currency,
    setupFutureUsage: "off_session" as const,
    paymentMethodTypes: ["card"],
    onBehalfOf: onBehalfOf || undefined,
    appearance: fieldsLook(),
  };
  return items > 1
    ? { mode: "setup", ...options }
    : { mode: "payment", amount: total, captureMethod: "manual", ...options };
}
