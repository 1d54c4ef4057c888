import { request } from "@/api/client";
import { checkoutPath } from "../lib/checkout-path";

/** Releases the portions. A 409 has the state of a checkout that has become an order meanwhile. */
export function leaveCheckout(restaurant: string, id: string): Promise<void> {
  return request(checkoutPath(restaurant, id), { method: "DELETE" });
}
