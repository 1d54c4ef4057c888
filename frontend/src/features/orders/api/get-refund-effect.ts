import { useQuery } from "@tanstack/react-query";
import { request } from "@/api/client";
import type { OrderDetail, RefundEffect } from "@/api/types";
import { centsToDecimal } from "@/lib/money";
import { ordersKey } from "./list-orders";

/** The effect of refunding so many cents, as the server would record it; null asks nothing. */
export function useRefundEffect({ order, money }: OrderDetail, back: number | null) {
  const amount = back === null ? "" : centsToDecimal(back);
  return useQuery<RefundEffect>({
    // Earlier refunds change the effect of the same amount.
    queryKey: [...ordersKey, order.id, "refund", money.refunded, amount],
    queryFn: ({ signal }) => request(`/api/orders/${order.id}/refund?amount=${amount}`, { signal }),
    enabled: back !== null,
  });
}
