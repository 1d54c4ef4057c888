import { request } from "@/api/client";
import type { CartOffers } from "@/api/types";
import { cartOffersUrl, takeAhead } from "@/lib/cart-offers";
import type { CartItem } from "@/lib/cart-store";

/** The specials of a cart as they can be ordered now. */
export async function getCartOffers(
  restaurant: string,
  items: Pick<CartItem, "offerId">[],
): Promise<CartOffers> {
  const url = cartOffersUrl(restaurant, items);
  const ahead = await takeAhead(url)?.catch(() => undefined);
  return ahead?.ok ? ahead.json() : request(url);
}
