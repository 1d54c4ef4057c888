import { request } from "@/api/client";
import type { CartOffers } from "@/api/types";
import { restaurantQuery } from "../lib/checkout-path";

/** The specials of a cart as they can be ordered now. */
export function getCartOffers(restaurant: string, ids: string[]): Promise<CartOffers> {
  return request(`/api/cart/offers?ids=${ids.join(",")}&${restaurantQuery(restaurant)}`);
}
