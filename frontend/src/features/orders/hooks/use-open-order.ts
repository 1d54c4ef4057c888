import { useCallback, useEffect, useState } from "react";
import { orderAddress, orderInAddress } from "../lib/order-address";

/**
 * Which order is open above the list. Meanwhile the browser shows the address of the order's own
 * page, so it can be shared or reloaded. Back closes the order, and the list is still where it was.
 */
export function useOpenOrder() {
  const [id, setId] = useState<string | null>(null);

  useEffect(() => {
    const follow = () => setId(orderInAddress(location.pathname));
    window.addEventListener("popstate", follow);
    return () => window.removeEventListener("popstate", follow);
  }, []);

  const open = useCallback((order: { id: string }) => {
    history.pushState({ overList: true }, "", orderAddress(order.id));
    setId(order.id);
  }, []);
  const close = useCallback(() => history.back(), []);

  return { id, open, close };
}
