import { request } from "@/api/client";
import { checkoutPath } from "../lib/checkout-path";

/** Releases the portions. A 409 carries the state: the checkout has become an order meanwhile. */
export function leaveCheckout(restaurant: string, id: string): Promise<void> {
  return request(checkoutPath(restaurant, id), { method: "DELETE" });
}
