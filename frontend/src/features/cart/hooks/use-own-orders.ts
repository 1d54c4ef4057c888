import { useEffect, useRef } from "react";
import type { CartItemResult } from "@/api/types";
import { type OwnOrder, rememberOrders } from "@/lib/own-orders";

/**
 * Remembers the cart's held orders on the device, as their pages do: each once, so that a guest who
 * presses "forget" isn't overruled. A link to another host, whose pages list their own, isn't.
 */
export function useOwnOrders(held: CartItemResult[]): void {
  const known = useRef(new Set<string>());
  useEffect(() => {
    const fresh = held.filter(({ code }) => !known.current.has(code));
    for (const { code } of fresh) known.current.add(code);
    const own = fresh.flatMap(ownOrder);
    if (own.length > 0) rememberOrders(own);
  }, [held]);
}

function ownOrder(item: CartItemResult): OwnOrder[] {
  const { orderUrl, code, name, serveDate, served, offerId, quantity } = item;
  const { origin, pathname } = new URL(orderUrl);
  if (origin !== location.origin) return [];
  const own = { code, path: pathname, name, day: serveDate, when: served };
  return [{ ...own, special: offerId, portions: quantity }];
}
