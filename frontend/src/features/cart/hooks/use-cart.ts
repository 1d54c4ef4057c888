import { useCallback, useEffect, useMemo, useState } from "react";
import type { CartOffers } from "@/api/types";
import { CART_CHANGED, type CartItem, readCart, saveCart } from "@/lib/cart-store";
import { prepareProcessor } from "@/lib/processor";
import { getCartOffers } from "../api/get-cart-offers";
import { shownItems, withQuantity } from "../lib/cart-items";

/** The cart's items, stored as they change, with what can be ordered of them now. */
export function useCart(restaurant: string) {
  const [items, setItems] = useState(() => readCart(restaurant));
  const [offers, setOffers] = useState<CartOffers | null>(null);
  const [failed, setFailed] = useState(false);
  const [removed, setRemoved] = useState<CartItem | null>(null);

  /** Asks what can be ordered now; the items in storage count, whoever changed them. */
  const refresh = useCallback(async (): Promise<void> => {
    const stored = readCart(restaurant);
    setFailed(false);
    if (stored.length === 0) return;
    try {
      const found = await getCartOffers(restaurant, stored);
      setOffers(found);
      prepareProcessor({ publishableKey: found.publishableKey, scriptUrl: found.cardScriptUrl });
    } catch {
      setFailed(true);
    }
  }, [restaurant]);

  useEffect(() => {
    void refresh();
    const follow = () => setItems(readCart(restaurant));
    addEventListener(CART_CHANGED, follow);
    return () => removeEventListener(CART_CHANGED, follow);
  }, [refresh, restaurant]);

  const keep = useCallback(
    (next: CartItem[]) => {
      setItems(next);
      saveCart(restaurant, next);
    },
    [restaurant],
  );

  // The same until one of these changes, so that a key in a field doesn't draw all items again.
  return useMemo(
    () => ({
      items,
      /** What the server says of the restaurant and its specials; null until it has answered. */
      shop: offers,
      shown: offers ? shownItems(items, offers.offers) : null,
      taxRate: offers?.taxRate ?? "0",
      asksForPhone: offers?.asksForPhone ?? false,
      failed,
      refresh,
      setQuantity: (offerId: string, quantity: number) => {
        if (quantity <= 0) setRemoved(items.find((item) => item.offerId === offerId) ?? null);
        keep(withQuantity(items, offerId, quantity));
      },
      /** What the guest took out last, until it is in the cart again. */
      removed:
        removed && !items.some(({ offerId }) => offerId === removed.offerId) ? removed : null,
      putBack: (item: CartItem) => keep([...items, item]),
      change: (offerId: string, changed: Partial<CartItem>) =>
        keep(items.map((item) => (item.offerId === offerId ? { ...item, ...changed } : item))),
      /** Takes out what has become an order. */
      remove: (offerIds: string[]) =>
        keep(readCart(restaurant).filter(({ offerId }) => !offerIds.includes(offerId))),
    }),
    [items, offers, failed, removed, refresh, keep, restaurant],
  );
}

export type Cart = ReturnType<typeof useCart>;
