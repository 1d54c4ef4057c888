import { request } from "@/api/client";
import type { CartResult } from "@/api/types";
import { checkoutPath } from "../lib/checkout-path";

/** Reports that the browser's part is done; answers the status of every item. Safe to repeat. */
export function confirmCheckout(restaurant: string, id: string): Promise<CartResult> {
  return request(checkoutPath(restaurant, id, "/confirm"), { method: "POST", body: {} });
}
