import { useQuery } from "@tanstack/react-query";
import { request } from "@/api/client";
import type { OrderDetail } from "@/api/types";
import { ordersKey } from "./list-orders";

/** One order with its money, emails and activity. */
export function useOrder(id: string, initial?: OrderDetail) {
  return useQuery<OrderDetail>({ queryKey: [...ordersKey, id], initialData: initial });
}

/** The order as it is now, without the cache. */
export const fetchOrder = (id: string) => request<OrderDetail>(`/api/orders/${id}`);
