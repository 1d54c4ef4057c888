import type { StripeExpressCheckoutElementConfirmEvent } from "@stripe/stripe-js";
import type { CartOffers } from "@/api/types";
import { type ExpressOffer, guestIn } from "@/lib/cart-store";
import { gettext } from "@/lib/i18n";
import { orderSum } from "@/lib/order-sum";
import { loadProcessor } from "@/lib/processor";
import type { Problem } from "@/ui/problem-notice";
import { getCartOffers } from "../api/get-cart-offers";
import { elementsOptions } from "../lib/elements-options";
import { payWithWallet } from "../lib/pay-with-wallet";
import { seeResult } from "../lib/result";
import { stayInPlace } from "../lib/stay-in-place";
import { walletButtons, walletCosts } from "../lib/wallets";

/** Asks what can be ordered now and shows the wallets' buttons, where the device has any. */
export async function offerExpress(offer: ExpressOffer): Promise<void> {
  const { restaurant, form, place, item } = offer;
  stayInPlace(place, form, place.closest("dialog") ?? document.documentElement);
  try {
    const shop = await getCartOffers(restaurant, [item()]);
    // What is reserved for friends can be ordered with their link when all else is sold out.
    if (item().friendsLink || shop.offers[0]?.refusal === "") return await showWallets(offer, shop);
  } catch {
    // The form and its other buttons are still there.
  }
  place.remove();
}

/**
 * The Express Checkout Element, made before there is an intent: the wallet names the guest, and only
 * then are the portions reserved and the intent created, with the same amount and the same options:
 * https://docs.stripe.com/elements/express-checkout-element/accept-a-payment
 */
async function showWallets(
  { restaurant, form, place, item }: ExpressOffer,
  shop: CartOffers,
): Promise<void> {
  const stripe = await loadProcessor({
    publishableKey: shop.publishableKey,
    scriptUrl: shop.cardScriptUrl,
  });
  const sums = () => orderSum(item().unitCents, shop.taxRate, item().quantity);
  const elements = stripe.elements(elementsOptions(1, sums().total, shop));
  const express = elements.create("expressCheckout", {
    ...walletButtons(shop.restaurantName),
    emailRequired: true,
    phoneNumberRequired: shop.asksForPhone,
  });
  const buttons = document.createElement("div");
  const problem = document.createElement("div");
  problem.setAttribute("role", "alert");
  place.append(buttons, problem);

  const tell = ({ title, text }: Problem): void => {
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
  const or = orWithDetails();
  // Again after the frame moved, as it does when the window gets wide.
  express.on("ready", ({ availablePaymentMethods }) => {
    if (!availablePaymentMethods) return place.remove();
    place.hidden = false;
    place.append(or);
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

  /** Whether the page is being left for the order's. */
  const pay = async (event: StripeExpressCheckoutElementConfirmEvent): Promise<boolean> => {
    const outcome = await payWithWallet({
      restaurant,
      stripe,
      elements,
      event,
      items: [item()],
      total: sums().total,
      typed: guestIn(form),
    });
    if ("problem" in outcome) {
      tell(outcome.problem);
      return false;
    }
    if (outcome.name === "unknown") location.assign(outcome.returnUrl);
    else void seeResult(restaurant, outcome.checkoutId, outcome);
    return true;
  };
}

/** What stands between the wallets and the fields below them. */
function orWithDetails(): HTMLElement {
  const or = document.createElement("p");
  or.className = "or small muted";
  or.textContent = gettext("Or enter your name and email");
  return or;
}
