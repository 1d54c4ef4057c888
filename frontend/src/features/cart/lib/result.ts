import type { CartResult } from "@/api/types";
import { checkoutReturnUrl } from "./checkout-path";
import { saveTypedGuest } from "./guest";
import { saveCheckout } from "./saved-checkout";

/** Shows the page of an order that was just placed with its welcome. */
const WELCOME = ["done", "ordered"] as const;

/**
 * What a tab knows of a checkout whose card it confirmed: the page with its result shows it at once,
 * and after a reload still where the confirmation goes, which the server doesn't tell everybody.
 */
interface SavedResult {
  email: string;
  result: CartResult;
}

const key = (checkoutId: string) => `result:${checkoutId}`;

export function savedResult(checkoutId: string): SavedResult | null {
  try {
    const stored = JSON.parse(sessionStorage.getItem(key(checkoutId)) ?? "null");
    return Array.isArray(stored?.result?.items) ? stored : null;
  } catch {
    return null;
  }
}

/** The page of a checkout's only order, once it is held; else there is none. */
export function orderPage({ items }: CartResult): string | null {
  const [item] = items;
  if (!item || items.length > 1 || item.status !== "held") return null;
  const page = new URL(item.orderUrl);
  page.searchParams.set(...WELCOME);
  return page.href;
}

/**
 * Leaves for the result of a checkout: the order's own page if it is the only one and held, else the
 * page that has each order and waits for the bank. Never resolves, so what is busy stays busy.
 */
export function seeResult(
  restaurant: string,
  checkoutId: string,
  saved: SavedResult,
): Promise<never> {
  saveCheckout(restaurant, null);
  if (saved.result.status === "held") saveTypedGuest(null);
  const page = orderPage(saved.result);
  try {
    if (!page) sessionStorage.setItem(key(checkoutId), JSON.stringify(saved));
  } catch {
    // Without storage the page asks the server.
  }
  location.assign(page ?? checkoutReturnUrl(restaurant, checkoutId));
  return new Promise(() => undefined);
}
