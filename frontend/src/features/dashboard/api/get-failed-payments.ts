import { useQuery } from "@tanstack/react-query";

export const failedPaymentsKey = ["/api/orders?payment=capture_failed"] as const;

/** How many orders wait for their guest to pay in another way, since the card was declined. */
export function useFailedPayments(initial: number | undefined): number {
  const found = useQuery<{ totals: { orders: number } }>({
    queryKey: failedPaymentsKey,
    initialData: { totals: { orders: initial ?? 0 } },
  });
  return found.data.totals.orders;
}
