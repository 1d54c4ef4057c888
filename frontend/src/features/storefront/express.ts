import { askAhead, cartOffersUrl } from "../../lib/cart-offers";
import { type ExpressOffer, OFFER_EXPRESS } from "../../lib/cart-store";
import { fetchCart, wishes } from "./cart";

/** Dispatched at the form's place once it is in the sheet. */
export const SHEET_OPENED = "sheet-opened";

const WIDE = "(width >= 60rem)";

/**
 * The wallets' buttons in a special's order form, above the fields that a wallet fills in. They need the
 * payment provider's script, so a phone loads them when its sheet opens; on wide screens the form is in
 * view, and they come after all else of the page. Until then there is room for them where they are likely,
 * so that nothing moves.
 */
export function startExpress(): void {
  const place = document.querySelector<HTMLElement>("[data-express]");
  const form = place?.closest("form");
  const cart = document.querySelector<HTMLElement>("[data-cart]");
  const surroundings = form?.closest<HTMLElement>("[data-sheet-form]");
  if (!place || !form || !cart || !surroundings) return;
  const { offerId = "", name = "", cents, express = "", friendsLink } = place.dataset;
  let isLoaded = false;
  place.hidden = !("PaymentRequest" in window);

  const show = async (): Promise<void> => {
    if (isLoaded) return;
    isLoaded = true;
    const detail: ExpressOffer = {
      restaurant: cart.dataset.cart ?? "",
      form,
      place,
      item: () => ({
        ...{ offerId, name, unitCents: Number(cents), quantity: 1, friendsLink },
        ...wishes(form),
        showFirstName: !!new FormData(form).get("showFirstName"),
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
  if (place.hidden || !matchMedia(WIDE).matches) return;
  if (document.readyState === "complete") void show();
  else addEventListener("load", () => void show());
}
