import { request } from "@/api/client";
import type { CartBegun } from "@/api/types";
import type { CartItem } from "@/lib/cart-store";
import { centsToDecimal } from "@/lib/money";
import { sharedBy } from "@/lib/shared-by";
import { restaurantQuery } from "../lib/checkout-path";
import type { Guest } from "../lib/guest";
import type { BotProof } from "../lib/with-bot-check";

/** Holds the portions of a cart and opens its payment. */
export function beginCheckout(
  restaurant: string,
  items: CartItem[],
  guest: Guest,
  total: number,
  proof: BotProof = {},
): Promise<CartBegun> {
  const ordered = items.map((item) => ({
    dishId: item.offerId,
    name: item.name,
    price: centsToDecimal(item.unitCents),
    quantity: item.quantity,
    note: item.note ?? "",
    slotId: item.slotId ?? null,
    serviceMode: item.serviceMode ?? "",
    alternativeConsent: item.alternative ?? false,
    friendsLink: item.friendsLink ?? "",
    showFirstName: item.showFirstName ?? false,
  }));
  return request(`/api/create-multi-offer-payment-intent?${restaurantQuery(restaurant)}`, {
    method: "POST",
    once: true,
    body: { items: ordered, total, guest, ref: sharedBy(), ...proof },
  });
}
