import { useQuery } from "@tanstack/react-query";
import { request } from "@/api/client";
import type { OrderDetail, RefundEffect } from "@/api/types";
import { centsToDecimal } from "@/lib/money";
import { ordersKey } from "./list-orders";

/** What giving back so many cents comes to, as the server would book it; null asks nothing. */
export function useRefundEffect({ order, money }: OrderDetail, back: number | null) {
  const amount = back === null ? "" : centsToDecimal(back);
  return useQuery<RefundEffect>({
    // What was refunded before changes what the same amount comes to.
    queryKey: [...ordersKey, order.id, "refund", money.refunded, amount],
    queryFn: ({ signal }) => request(`/api/orders/${order.id}/refund?amount=${amount}`, { signal }),
    enabled: back !== null,
  });
}
