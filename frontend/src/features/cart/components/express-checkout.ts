import type { StripeExpressCheckoutElementConfirmEvent } from "@stripe/stripe-js";
import { ApiError } from "@/api/client";
import type { CartBegun, CartOffers } from "@/api/types";
import type { ExpressOffer } from "@/lib/cart-store";
import { wordsFor } from "@/lib/failure-words";
import { gettext, interpolate } from "@/lib/i18n";
import { orderSum } from "@/lib/order-sum";
import { loadProcessor } from "@/lib/processor";
import { beginCheckout } from "../api/begin-checkout";
import { confirmCheckout } from "../api/confirm-checkout";
import { getCartOffers } from "../api/get-cart-offers";
import { leaveCheckout } from "../api/leave-checkout";
import { checkoutReturnUrl } from "../lib/checkout-path";
import { saveCheckout } from "../lib/saved-checkout";
import { walletButtons, walletCosts, walletElements } from "../lib/wallets";
import { botCheckSentence, withBotCheck } from "../lib/with-bot-check";

/** Shows the page of an order that was just placed with its welcome. */
const WELCOME = ["done", "ordered"] as const;

/** Asks what can be ordered now and shows the wallets' buttons, where the device has any. */
export async function offerExpress(offer: ExpressOffer): Promise<void> {
  const { restaurant, place, item } = offer;
  // Room for the buttons, so that the page moves little when they appear.
  place.style.minHeight = "3rem";
  stayInPlace(offer);
  try {
    const shop = await getCartOffers(restaurant, [item().offerId]);
    if (shop.offers[0]?.refusal === "") await showWallets(offer, shop);
  } catch {
    // The form and its other buttons are still there.
  } finally {
    place.style.minHeight = "";
  }
}

/** A field that a guest uses doesn't move when the buttons appear above it in a sheet. */
function stayInPlace({ form, place }: ExpressOffer): void {
  const sheet = place.closest("dialog");
  if (!sheet) return;
  let isUsed = false;
  let height = place.offsetHeight;
  const note = ({ target }: Event): void => {
    if (!(target instanceof Node) || place.contains(target)) return;
    isUsed = Boolean(place.compareDocumentPosition(target) & Node.DOCUMENT_POSITION_FOLLOWING);
  };
  form.addEventListener("pointerdown", note);
  form.addEventListener("focusin", note);
  // The browser would do it as well, but not from the top, and not every browser does.
  sheet.style.setProperty("overflow-anchor", "none");
  new ResizeObserver(() => {
    const grown = place.offsetHeight - height;
    height = place.offsetHeight;
    if (isUsed) sheet.scrollTop += grown;
  }).observe(place);
}

/**
 * The Express Checkout Element, made before there is an intent: the wallet names the guest, and only
 * then are the portions reserved and the intent created, with the same amount and the same options:
 * https://docs.stripe.com/elements/express-checkout-element/accept-a-payment
 */
async function showWallets(
  { restaurant, restaurantName, form, place, item }: ExpressOffer,
  shop: CartOffers,
): Promise<void> {
  const stripe = await loadProcessor({
    publishableKey: shop.publishableKey,
    scriptUrl: shop.cardScriptUrl,
  });
  const sums = () => orderSum(item().unitCents, shop.taxRate, item().quantity);
  const { currency, onBehalfOf } = shop;
  const elements = stripe.elements(
    walletElements({ mode: "payment", total: sums().total, currency, onBehalfOf }),
  );
  const express = elements.create("expressCheckout", {
    ...walletButtons(restaurantName),
    emailRequired: true,
    phoneNumberRequired: shop.asksForPhone,
  });
  const buttons = document.createElement("div");
  const problem = document.createElement("div");
  problem.setAttribute("role", "alert");
  place.append(buttons, problem);

  const tell = (title: string, text: string): void => {
    const notice = document.createElement("div");
    notice.className = "notice notice-berry";
    const words = document.createElement("div");
    const strong = document.createElement("strong");
    strong.textContent = title;
    words.append(strong, document.createElement("br"), text);
    notice.append(words);
    problem.replaceChildren(notice);
  };

  // The wallet shows what the form says: it is told before it opens, and whenever the form changes.
  let shown = sums().total;
  const follow = (): void => {
    if (sums().total === shown) return;
    shown = sums().total;
    elements.update({ amount: shown });
  };
  document.addEventListener("input", follow);
  document.addEventListener("click", follow);

  let busy = false;
  express.on("ready", ({ availablePaymentMethods }) => {
    if (!availablePaymentMethods) return place.remove();
    if (place.closest("dialog")) place.append(orWithDetails());
  });
  express.on("click", ({ resolve, reject }) => {
    problem.replaceChildren();
    const needed = form.querySelectorAll<HTMLInputElement>("[name=quantity], [name=slotId]");
    if (busy || ![...needed].every((field) => field.reportValidity())) return reject();
    resolve({ lineItems: walletCosts(item(), sums()) });
  });
  express.on("confirm", (event) => {
    if (busy) return;
    busy = true;
    // On the way to the order's page a second tap would order again.
    let isLeaving = false;
    void pay(event)
      .then((leaving) => {
        isLeaving = leaving;
      })
      .finally(() => {
        busy = isLeaving;
      });
  });
  // Back on this page, as the browser stored it.
  addEventListener("pageshow", () => {
    busy = false;
  });
  express.mount(buttons);

  const begin = async (event: StripeExpressCheckoutElementConfirmEvent): Promise<CartBegun> => {
    const typed = new FormData(form);
    const text = (name: string) => String(typed.get(name) ?? "").trim();
    const guest = {
      name: event.billingDetails?.name || text("customerName"),
      email: event.billingDetails?.email || text("customerEmail"),
      phone: event.billingDetails?.phone || text("customerPhone"),
    };
    const { error } = await elements.submit();
    if (error) throw new Error(error.message);
    return withBotCheck((proof) => beginCheckout(restaurant, [item()], guest, sums().total, proof));
  };

  const leaveFor = (address: string): true => {
    location.assign(address);
    return true;
  };

  /** Whether the page is being left for the order's. */
  const pay = async (event: StripeExpressCheckoutElementConfirmEvent): Promise<boolean> => {
    let begun: CartBegun;
    try {
      begun = await begin(event);
    } catch (failure) {
      event.paymentFailed({ reason: "fail" });
      const text = gettext("Unable to initialize payment. Please try again.");
      tell(gettext("Payment Setup Failed"), botCheckSentence(failure) ?? wordsFor(failure, text));
      return false;
    }
    const { checkoutId, publishableKey, clientSecret } = begun;
    saveCheckout(restaurant, { id: checkoutId, publishableKey });
    const return_url = checkoutReturnUrl(restaurant, checkoutId);
    const { error } = await stripe.confirmPayment({
      elements,
      clientSecret,
      confirmParams: { return_url },
      redirect: "if_required",
    });
    if (!error) return leaveFor(await resultUrl(checkoutId, return_url));
    if (await hasBecomeAnOrder(checkoutId)) return leaveFor(return_url);
    tell(
      gettext("Payment Failed"),
      interpolate(gettext("%s Your card wasn't charged. Try again or fill in the form."), [
        error.message ?? gettext("Your card was not accepted."),
      ]),
    );
    return false;
  };

  /** The order's page; while the bank has more to say, the page that waits for it. */
  const resultUrl = async (checkoutId: string, otherwise: string): Promise<string> => {
    try {
      const [result] = (await confirmCheckout(restaurant, checkoutId)).items;
      if (result?.status !== "held") return otherwise;
      saveCheckout(restaurant, null);
      const page = new URL(result.orderUrl);
      page.searchParams.set(...WELCOME);
      return page.href;
    } catch {
      return otherwise;
    }
  };

  /** Releases the portions of a payment that failed, unless it went through after all. */
  const hasBecomeAnOrder = async (checkoutId: string): Promise<boolean> => {
    try {
      await leaveCheckout(restaurant, checkoutId);
    } catch (failure) {
      if (failure instanceof ApiError && failure.status === 409) return true;
    }
    saveCheckout(restaurant, null);
    return false;
  };
}

/** What stands between the wallets and the fields below them. */
function orWithDetails(): HTMLElement {
  const or = document.createElement("p");
  or.className = "or small muted";
  or.textContent = gettext("Or enter your name and email");
  return or;
}
