import { request } from "@/api/client";
import type { CartRetry } from "@/api/types";
import { checkoutPath } from "../lib/checkout-path";

/** Starts another attempt to authorize one item, while the guest is there. */
export function retryCartItem(
  restaurant: string,
  id: string,
  preorderId: string,
  { anotherCard = false } = {},
): Promise<CartRetry> {
  return request(checkoutPath(restaurant, id, `/items/${preorderId}/retry`), {
    method: "POST",
    body: { anotherCard },
    once: true,
  });
}
