import { CART_CHANGED } from "../../lib/cart-store";
import { mergeElement } from "../../lib/merge-dom";

/**
 * Changes an offer of a list to what the server's page says of it now. An answer that is no newer than
 * the page, because it comes from a cache, changes nothing.
 */
export async function mergeOffer(offer: HTMLElement): Promise<void> {
  const response = await fetch(location.href, { headers: { Accept: "text/html" } });
  if (!response.ok) return;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const fresh = page.querySelector(`[data-special="${offer.dataset.special}"]`);
  if (!fresh || fresh.hasAttribute("data-full") === offer.hasAttribute("data-full")) return;
  const hadFocus = offer.contains(document.activeElement);
  mergeElement(offer, fresh);
  dispatchEvent(new Event(CART_CHANGED)); // which shows what belongs to the cart
  if (hadFocus && !offer.contains(document.activeElement)) {
    offer.querySelector<HTMLElement>(".actions a")?.focus();
  }
}
