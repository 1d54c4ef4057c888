/** The restaurant for the platform's host; the restaurant's own host knows it already. */
export const restaurantQuery = (restaurant: string) => `rid=${encodeURIComponent(restaurant)}`;

/** The address of one checkout in the API. */
export const checkoutPath = (restaurant: string, id: string, rest = "") =>
  `/api/checkouts/${id}${rest}?${restaurantQuery(restaurant)}`;

/** Says in the page's address that the guest has given a card, and doesn't come to give one. */
export const CARD_GIVEN = "given";

/** The page with the result of each item, where a bank's full-page check leads back to. */
export const checkoutReturnUrl = (restaurant: string, id: string) =>
  new URL(`/cart/return?checkout=${id}&rid=${restaurant}&${CARD_GIVEN}=1`, location.origin).href;
