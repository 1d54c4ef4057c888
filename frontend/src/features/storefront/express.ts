import { askAhead, cartOffersUrl } from "../../lib/cart-offers";
import { type ExpressOffer, OFFER_EXPRESS } from "../../lib/cart-store";
import { fetchCart, wishes } from "./cart";

/** Dispatched at the form's place once it is in the sheet. */
export const SHEET_OPENED = "sheet-opened";

/**
 * The wallets' buttons in a special's order form: in the sheet above the fields that a wallet fills in,
 * on wide screens below the button, where they move nothing. They need the payment provider's script, so
 * they are loaded when the guest turns to the form.
 */
export function startExpress(): void {
  const place = document.querySelector<HTMLElement>("[data-express]");
  const form = place?.closest("form");
  const cart = document.querySelector<HTMLElement>("[data-cart]");
  const surroundings = form?.closest<HTMLElement>("[data-sheet-form]");
  if (!place || !form || !cart || !surroundings) return;
  const { offerId = "", name = "", cents, express = "", friendsLink } = place.dataset;
  let isLoaded = false;

  const show = async (): Promise<void> => {
    if (isLoaded) return;
    isLoaded = true;
    if (!form.closest("dialog")) form.querySelector(".order-end")?.after(place);
    // Room for the buttons where they are likely, so that nothing moves when they appear.
    place.hidden = !("PaymentRequest" in window);
    const detail: ExpressOffer = {
      restaurant: cart.dataset.cart ?? "",
      form,
      place,
      item: () => ({
        ...{ offerId, name, unitCents: Number(cents), quantity: 1, friendsLink },
        ...wishes(form),
        showFirstName: new FormData(form).has("showFirstName"),
      }),
    };
    askAhead(cartOffersUrl(detail.restaurant, [detail.item()])).catch(() => undefined);
    const script = import(/* @vite-ignore */ express);
    // What it imports is among the cart's scripts, which the page that asks for the card has, too.
    void fetchCart(cart);
    await script;
    dispatchEvent(new CustomEvent(OFFER_EXPRESS, { detail }));
  };

  surroundings.addEventListener(SHEET_OPENED, show);
  form.addEventListener("pointermove", show, { once: true });
  form.addEventListener("focusin", show, { once: true });
}
