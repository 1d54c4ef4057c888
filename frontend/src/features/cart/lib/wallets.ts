import type { StripeExpressCheckoutElementOptions } from "@stripe/stripe-js";
import { gettext } from "@/lib/i18n";

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
