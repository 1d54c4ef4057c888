/** The restaurant for the platform's host; the restaurant's own host knows it already. */
export const restaurantQuery = (restaurant: string) => `rid=${encodeURIComponent(restaurant)}`;

/** The address of one checkout in the API. */
export const checkoutPath = (restaurant: string, id: string, rest = "") =>
  `/api/checkouts/${id}${rest}?${restaurantQuery(restaurant)}`;

/** Where a bank's full-page check leads back to: the result of each item. */
export const checkoutReturnUrl = (restaurant: string, id: string) =>
  new URL(`/cart/return?checkout=${id}&rid=${restaurant}`, location.origin).href;
