import type { CartItem } from "./cart-store";

/** How long an answer counts as new, in milliseconds. */
const FRESH = 10_000;

let ahead: { url: string; since: number; answer: Promise<Response> } | undefined;

/** Where the specials of a cart are asked for, as they can be ordered now. */
export const cartOffersUrl = (restaurant: string, items: Pick<CartItem, "offerId">[]) =>
  `/api/cart/offers?ids=${items.map(({ offerId }) => offerId).join(",")}&rid=${restaurant}`;

/**
 * Asks before the cart's script is there, which asks for the same when it is opened: on a slow phone
 * that is a round trip less.
 */
export function askAhead(url: string): Promise<Response> {
  const headers = { "Accept-Language": document.documentElement.lang };
  const answer = fetch(url, { headers });
  ahead = { url, since: Date.now(), answer };
  return answer.then((each) => each.clone());
}

/** The answer to what was asked ahead; once, and undefined if it was something else or long ago. */
export function takeAhead(url: string): Promise<Response> | undefined {
  const isFresh = ahead?.url === url && Date.now() - ahead.since < FRESH;
  const answer = isFresh ? ahead?.answer : undefined;
  ahead = undefined;
  return answer;
}
