import { type ExpressOffer, OFFER_EXPRESS } from "../../lib/cart-store";
import { wishes } from "./cart";

/** Dispatched at the form's place once it is in the sheet. */
export const SHEET_OPENED = "sheet-opened";

/**
 * The wallets' buttons in a special's order form: after everything that an order says and what
 * happens to the card. They need the payment provider's script, so they are loaded when the guest
 * turns to the form; on wide screens they come last, where they don't move the button either.
 */
export function startExpress(): void {
  const place = document.querySelector<HTMLElement>("[data-express]");
  const form = place?.closest("form");
  const cart = document.querySelector<HTMLElement>("[data-cart]");
  const surroundings = form?.closest<HTMLElement>("[data-sheet-form]");
  if (!place || !form || !cart || !surroundings) return;
  const { offerId = "", name = "", cents, express = "", friendsLink } = place.dataset;
  let isLoaded = false;

  const show = async (isInSheet: boolean): Promise<void> => {
    if (isLoaded) return;
    isLoaded = true;
    if (!isInSheet) form.querySelector(".order-end")?.after(place);
    place.hidden = false;
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
    await import(/* @vite-ignore */ express);
    dispatchEvent(new CustomEvent(OFFER_EXPRESS, { detail }));
  };

  surroundings.addEventListener(SHEET_OPENED, () => void show(true));
  const turnTo = () => void show(form.closest("dialog") !== null);
  form.addEventListener("pointerenter", turnTo, { once: true });
  form.addEventListener("focusin", turnTo, { once: true });
}
