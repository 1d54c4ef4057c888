import { request } from "@/api/client";
import type { CartBegun } from "@/api/types";
import { checkoutPath } from "../lib/checkout-path";

/** Reserves the portions again of a checkout that waits for its card; its payment as it began. */
export function resumeCheckout(restaurant: string, id: string): Promise<CartBegun> {
  return request(checkoutPath(restaurant, id, "/resume"), { method: "POST", body: {} });
}
