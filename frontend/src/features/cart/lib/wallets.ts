import type {
  StripeElementsOptionsMode,
  StripeExpressCheckoutElementOptions,
} from "@stripe/stripe-js";
import { gettext } from "@/lib/i18n";
import { fieldsLook } from "@/lib/processor";

interface WalletPayment {
  /** With a card for several holds, which is saved first, a wallet shows no amount. */
  mode: "payment" | "setup";
  /** In cents. */
  total: number;
  currency: string;
  onBehalfOf?: string;
}

/**
 * What Elements with the wallets' buttons are created with: the same as the intent that is
 * confirmed, and not its secret, which only the card fields take:
 * https://docs.stripe.com/js/elements_object/create.md
 * https://docs.stripe.com/payments/accept-a-payment-deferred.md
 */
export function walletElements({
  mode,
  total,
  currency,
  onBehalfOf,
}: WalletPayment): StripeElementsOptionsMode {
  const options = {
    currency,
    setupFutureUsage: "off_session" as const,
    paymentMethodTypes: ["card"],
    onBehalfOf: onBehalfOf || undefined,
    appearance: fieldsLook(),
  };
  return mode === "setup"
    ? { mode, ...options }
    : { mode, amount: total, captureMethod: "manual", ...options };
}

/** The wallets' buttons; the wallet names the restaurant. */
export const walletButtons = (restaurantName: string): StripeExpressCheckoutElementOptions => ({
  business: { name: restaurantName },
  buttonHeight: 48,
  buttonType: { applePay: "order", googlePay: "order" },
});

/** What one order costs, as the wallet lists it; amounts in cents. */
export const walletCosts = (
  { quantity, name }: { quantity: number; name: string },
  { subtotal, tax }: { subtotal: number; tax: number },
) => [
  { name: `${quantity} × ${name}`, amount: subtotal },
  { name: gettext("Tax"), amount: tax },
];
