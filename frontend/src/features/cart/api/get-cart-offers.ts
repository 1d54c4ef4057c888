import { request } from "@/api/client";
import type { CartOffers } from "@/api/types";
import { restaurantQuery } from "../lib/checkout-path";

/** What can be ordered now of the specials in a cart. */
export function getCartOffers(restaurant: string, ids: string[]): Promise<CartOffers> {
  return request(`/api/cart/offers?ids=${ids.join(",")}&${restaurantQuery(restaurant)}`);
}
