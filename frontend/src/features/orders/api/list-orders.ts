import { useInfiniteQuery } from "@tanstack/react-query";
import { request } from "@/api/client";
import type { OrderPage } from "@/api/types";

const FOLLOW_EVERY = 30_000;

function ordersPath(offerId: string, cursor: string | null): string {
  const query = new URLSearchParams();
  if (offerId) query.set("offer", offerId);
  if (cursor) query.set("cursor", cursor);
  const text = query.toString();
  return text ? `/api/orders?${text}` : "/api/orders";
}

/** The restaurant's pre-orders, newest first, of one offer or ('') of all. */
export function useOrders(offerId: string, initial: OrderPage | undefined) {
  return useInfiniteQuery({
    queryKey: ["/api/orders", offerId],
    queryFn: ({ pageParam, signal }) =>
      request<OrderPage>(ordersPath(offerId, pageParam), { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    initialData: !offerId && initial ? { pages: [initial], pageParams: [null] } : undefined,
    refetchInterval: FOLLOW_EVERY,
  });
}
