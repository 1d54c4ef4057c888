import { request } from "@/api/client";
import type { CartBegun, CartOffers, CartResult, CartRetry } from "@/api/types";
import type { CartLine } from "@/lib/cart-store";
import { centsToDecimal } from "@/lib/money";
import { sharedBy } from "@/lib/shared-by";

/** Who orders; asked once for all lines. */
export interface Customer {
  name: string;
  email: string;
  phone: string;
}

/** The restaurant's name for the platform's host; its own host knows it already. */
const about = (restaurant: string) => `rid=${encodeURIComponent(restaurant)}`;

export function getOffers(restaurant: string, ids: string[]): Promise<CartOffers> {
  return request(`/api/cart/offers?ids=${ids.join(",")}&${about(restaurant)}`);
}

export function beginCheckout(
  restaurant: string,
  lines: CartLine[],
  customer: Customer,
  total: number,
): Promise<CartBegun> {
  const items = lines.map((line) => ({
    dishId: line.offerId,
    name: line.name,
    price: centsToDecimal(line.unitCents),
    quantity: line.quantity,
    note: line.note ?? "",
    slotId: line.slotId ?? null,
    alternativeConsent: line.alternative ?? false,
  }));
  return request(`/api/create-multi-offer-payment-intent?${about(restaurant)}`, {
    method: "POST",
    body: { items, total, customer, via: sharedBy() },
  });
}

const checkout = (restaurant: string, id: string, rest = "") =>
  `/api/checkouts/${id}${rest}?${about(restaurant)}`;

/** Says that the browser's part is done; answers where every line stands. Safe to ask again. */
export function confirmCheckout(restaurant: string, id: string): Promise<CartResult> {
  return request(checkout(restaurant, id, "/confirm"), { method: "POST", body: {} });
}

/** Where every line stands, as far as the server has heard. */
export function getCheckout(restaurant: string, id: string): Promise<CartResult> {
  return request(checkout(restaurant, id));
}

/** Asks for a line's card once more, with the diner there. */
export function retryLine(restaurant: string, id: string, preorderId: string): Promise<CartRetry> {
  return request(checkout(restaurant, id, `/lines/${preorderId}/retry`), { method: "POST" });
}

/** Gives the portions back. A 409 carries the state: it has become an order meanwhile. */
export function leaveCheckout(restaurant: string, id: string): Promise<void> {
  return request(checkout(restaurant, id), { method: "DELETE" });
}
