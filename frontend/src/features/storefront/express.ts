import { type ExpressOffer, OFFER_EXPRESS } from "../../lib/cart-store";
import { wishes } from "./cart";

/** Dispatched at the form's place once it is in the sheet. */
export const SHEET_OPENED = "sheet-opened";

/**
 * The wallets' buttons in a special's order form. They need the payment provider's script, so they
 * are loaded when the guest turns to the form: above the fields of the sheet on a phone, otherwise
 * among the form's buttons, where they move no field.
 */
export function startExpress(): void {
  const pay = document.querySelector<HTMLElement>("[data-pay-here][data-express]");
  const form = pay?.closest("form");
  const cart = document.querySelector<HTMLElement>("[data-cart]");
  const surroundings = form?.closest<HTMLElement>("[data-sheet-form]");
  if (!pay || !form || !cart || !surroundings) return;
  const { payHere: offerId = "", name = "", cents, express = "", restaurant = "" } = pay.dataset;
  let isLoaded = false;

  const show = async (isInSheet: boolean): Promise<void> => {
    if (isLoaded) return;
    isLoaded = true;
    const place = document.createElement("div");
    place.className = "stack rhythm-2";
    if (isInSheet) form.prepend(place);
    else pay.before(place);
    const detail: ExpressOffer = {
      restaurant: cart.dataset.cart ?? "",
      restaurantName: restaurant,
      form,
      place,
      item: () => ({ offerId, name, unitCents: Number(cents), quantity: 1, ...wishes(form) }),
    };
    await import(/* @vite-ignore */ express);
    dispatchEvent(new CustomEvent(OFFER_EXPRESS, { detail }));
  };

  surroundings.addEventListener(SHEET_OPENED, () => void show(true));
  const turnTo = () => void show(form.closest("dialog") !== null);
  form.addEventListener("pointerenter", turnTo, { once: true });
  form.addEventListener("focusin", turnTo, { once: true });
}
