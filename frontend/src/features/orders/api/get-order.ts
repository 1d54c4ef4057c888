import { useQuery } from "@tanstack/react-query";
import type { OrderDetail } from "@/api/types";
import { ordersKey } from "./list-orders";

/** One order with its money, letters and everything that happened to it. */
export function useOrder(id: string, initial?: OrderDetail) {
  return useQuery<OrderDetail>({ queryKey: [...ordersKey, id], initialData: initial });
}
