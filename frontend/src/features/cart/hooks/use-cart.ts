import { useCallback, useEffect, useMemo, useState } from "react";
import type { CartOffers } from "@/api/types";
import { CART_CHANGED, type CartLine, keepCart, readCart } from "@/lib/cart-store";
import { getOffers } from "../api/cart";
import { shownLines, withQuantity } from "../lib/lines";

/** The cart's lines, kept as they change, beside what can be ordered of them now. */
export function useCart(restaurant: string) {
  const [lines, setLines] = useState(() => readCart(restaurant));
  const [offers, setOffers] = useState<CartOffers | null>(null);
  const [failed, setFailed] = useState(false);

  /** Asks what can be ordered now; the lines in storage count, whoever changed them. */
  const refresh = useCallback(async (): Promise<void> => {
    const ids = readCart(restaurant).map(({ offerId }) => offerId);
    setFailed(false);
    if (ids.length === 0) return;
    try {
      setOffers(await getOffers(restaurant, ids));
    } catch {
      setFailed(true);
    }
  }, [restaurant]);

  useEffect(() => {
    void refresh();
    const follow = () => setLines(readCart(restaurant));
    addEventListener(CART_CHANGED, follow);
    return () => removeEventListener(CART_CHANGED, follow);
  }, [refresh, restaurant]);

  const keep = useCallback(
    (next: CartLine[]) => {
      setLines(next);
      keepCart(restaurant, next);
    },
    [restaurant],
  );

  return {
    lines,
    shown: useMemo(() => (offers ? shownLines(lines, offers.offers) : null), [lines, offers]),
    taxRate: offers?.taxRate ?? "0",
    scriptUrl: offers?.cardScriptUrl ?? "",
    failed,
    refresh,
    setQuantity: (offerId: string, quantity: number) =>
      keep(withQuantity(lines, offerId, quantity)),
    change: (offerId: string, changed: Partial<CartLine>) =>
      keep(lines.map((line) => (line.offerId === offerId ? { ...line, ...changed } : line))),
    /** Takes out what has become an order. */
    remove: (offerIds: string[]) =>
      keep(readCart(restaurant).filter(({ offerId }) => !offerIds.includes(offerId))),
  };
}

export type Cart = ReturnType<typeof useCart>;
