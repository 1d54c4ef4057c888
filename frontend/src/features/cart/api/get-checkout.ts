import { request } from "@/api/client";
import type { CartResult } from "@/api/types";
import { checkoutPath } from "../lib/checkout-path";

/** The status of every item, as far as the server knows. */
export function getCheckout(restaurant: string, id: string): Promise<CartResult> {
  return request(checkoutPath(restaurant, id));
}
