import type {
  Stripe,
  StripeElements,
  StripeExpressCheckoutElementConfirmEvent,
} from "@stripe/stripe-js";
import { ApiError } from "@/api/client";
import type { CartBegun, CartResult } from "@/api/types";
import type { CartItem } from "@/lib/cart-store";
import { gettext, interpolate } from "@/lib/i18n";
import type { Problem } from "@/ui/problem-notice";
import { beginCheckout } from "../api/begin-checkout";
import { confirmCheckout } from "../api/confirm-checkout";
import { leaveCheckout } from "../api/leave-checkout";
import { checkoutReturnUrl } from "./checkout-path";
import type { Guest } from "./guest";
import { notSetUp } from "./problems";
import { saveCheckout } from "./saved-checkout";
import { withBotCheck } from "./with-bot-check";

interface WalletOrder {
  restaurant: string;
  stripe: Stripe;
  /** Created without an intent, with what `total` says. */
  elements: StripeElements;
  /** The guest confirmed in the wallet. */
  event: StripeExpressCheckoutElementConfirmEvent;
  items: CartItem[];
  /** In cents. */
  total: number;
  /** For what the wallet doesn't say. */
  typed: Guest;
}

export type WalletOutcome =
  /** Nothing is reserved. */
  | { name: "not begun"; problem: Problem }
  /** The card was refused, and the portions are released. */
  | { name: "refused"; problem: Problem }
  /** The card is confirmed, and the server says what became of each item. */
  | { name: "known"; checkoutId: string; email: string; result: CartResult }
  /** The card is confirmed, but only the page at this address can say what became of it. */
  | { name: "unknown"; returnUrl: string };

/**
 * Orders the items for the guest whom the wallet names. Only now are the portions reserved and the
 * intent created, for one item to pay, for several to save their card:
 * https://docs.stripe.com/elements/express-checkout-element/accept-a-payment
 */
export async function payWithWallet(order: WalletOrder): Promise<WalletOutcome> {
  const { restaurant, stripe, elements, event, items, total } = order;
  const guest = guestOf(order);
  let begun: CartBegun;
  try {
    const { error } = await elements.submit();
    if (error) throw new Error(error.message);
    begun = await withBotCheck((proof) => beginCheckout(restaurant, items, guest, total, proof));
  } catch (failure) {
    event.paymentFailed({ reason: "fail" });
    return { name: "not begun", problem: notSetUp(failure) };
  }
  const { checkoutId, clientSecret } = begun;
  saveCheckout(restaurant, checkoutId);
  const returnUrl = checkoutReturnUrl(restaurant, checkoutId);
  const options = {
    elements,
    clientSecret,
    confirmParams: { return_url: returnUrl },
    redirect: "if_required" as const,
  };
  const confirming: Promise<{ error?: { message?: string } }> = clientSecret.startsWith("seti_")
    ? stripe.confirmSetup(options)
    : stripe.confirmPayment(options);
  const { error } = await confirming.catch(() => {
    event.paymentFailed({ reason: "fail" });
    return { error: { message: undefined } };
  });
  if (error) {
    if (await hasBecomeAnOrder(restaurant, checkoutId)) return { name: "unknown", returnUrl };
    return { name: "refused", problem: notCharged(error.message) };
  }
  try {
    const result = await confirmCheckout(restaurant, checkoutId);
    return { name: "known", checkoutId, email: guest.email, result };
  } catch {
    return { name: "unknown", returnUrl };
  }
}

function guestOf({ event: { billingDetails }, typed }: WalletOrder): Guest {
  return {
    name: billingDetails?.name || typed.name,
    email: billingDetails?.email || typed.email,
    phone: billingDetails?.phone || typed.phone,
  };
}

/** Releases the portions of a payment that failed, unless it went through after all. */
async function hasBecomeAnOrder(restaurant: string, checkoutId: string): Promise<boolean> {
  try {
    await leaveCheckout(restaurant, checkoutId);
  } catch (failure) {
    if (failure instanceof ApiError && failure.status === 409) return true;
  }
  saveCheckout(restaurant, null);
  return false;
}

const notCharged = (message?: string): Problem => ({
  title: gettext("Payment Failed"),
  text: interpolate(gettext("%s Your card wasn't charged. Try again or fill in the form."), [
    message ?? gettext("Your card was not accepted."),
  ]),
});
