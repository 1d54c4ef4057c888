import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { request } from "@/api/client";
import type { Order } from "@/api/types";
import { ordersKey, showOrder } from "./list-orders";

/** An action on one order: the last part of its URL. */
export type OrderRequest =
  | { action: "pick-up" }
  | { action: "no-show" }
  | { action: "undo" }
  | { action: "cancel"; reason: string }
  | { action: "refund"; amount: string | null; reason: string; confirmAmount?: string }
  | { action: "resend"; kind: string }
  | { action: "new-link" }
  | { action: "notes"; text: string };

const MOVES_MONEY = new Set(["cancel", "refund"]);

/** Shows an order that an action answered, and reads its activity again. */
function orderChanged(queries: QueryClient, order: Order): void {
  showOrder(queries, order);
  void queries.invalidateQueries({ queryKey: [...ordersKey, order.id] });
  void queries.invalidateQueries({ queryKey: ["/api/ledger"] });
}

/** Carries out an action on one order; the lists show the result. */
export function useOrderAction(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ action, ...body }: OrderRequest) =>
      request<{ order: Order }>(`/api/orders/${id}/${action}`, {
        method: "POST",
        body,
        once: MOVES_MONEY.has(action),
      }),
    onSuccess: ({ order }) => orderChanged(queries, order),
  });
}
