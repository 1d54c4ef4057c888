import { useEffect, useRef } from "react";
import type { CartItemResult } from "@/api/types";
import { endOrders, type OwnOrder, rememberOrders } from "@/lib/own-orders";

/**
 * Remembers the cart's held orders on the device, as their pages do: each once, so that a guest who
 * presses "forget" isn't overruled. A link to another host, whose pages list their own, isn't. What the
 * tab still knows as held and the server says has ended, such as after Back, is no longer to come.
 */
export function useOwnOrders(items: CartItemResult[], isOwn: boolean): void {
  const known = useRef(new Set<string>());
  useEffect(() => {
    if (!isOwn) return;
    const fresh = items.filter(({ status, code }) => status === "held" && !known.current.has(code));
    for (const { code } of fresh) known.current.add(code);
    const own = fresh.flatMap(ownOrder);
    if (own.length > 0) rememberOrders(own);
    const ended = items.filter(({ status }) => status === "ended");
    if (ended.length > 0) endOrders(ended.map(({ code }) => ({ code })));
  }, [items, isOwn]);
}

function ownOrder(item: CartItemResult): OwnOrder[] {
  const { orderUrl, code, name, serveDate, served, offerId, quantity, inShort } = item;
  const { origin, pathname } = new URL(orderUrl);
  if (origin !== location.origin) return [];
  const own = { code, path: pathname, name, day: serveDate, when: served };
  const state = { inShort: inShort || undefined, until: item.inShortUntil ?? undefined };
  return [{ ...own, ...state, special: offerId, portions: quantity }];
}
