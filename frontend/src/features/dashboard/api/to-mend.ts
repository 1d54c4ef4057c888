import { useQuery } from "@tanstack/react-query";

export const toMendKey = ["/api/orders?payment=capture_failed"] as const;

/** How many orders wait for their diner to pay in another way, since the card was declined. */
export function usePaymentsToMend(initial: number | undefined): number {
  const found = useQuery<{ totals: { orders: number } }>({
    queryKey: toMendKey,
    initialData: { totals: { orders: initial ?? 0 } },
  });
  return found.data.totals.orders;
}
