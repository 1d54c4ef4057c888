import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { request } from "@/api/client";
import type { BulkDone, Order } from "@/api/types";
import { ordersKey, showOrder } from "./list-orders";

/** What is asked of one order, by the last word of its address. */
export type OrderRequest =
  | { act: "pick-up" }
  | { act: "no-show" }
  | { act: "undo" }
  | { act: "cancel"; reason: string }
  | { act: "refund"; amount: string | null; reason: string }
  | { act: "resend"; kind: string }
  | { act: "notes"; text: string };

/** Shows an order that an action answered, and reads its trail again. */
export function orderChanged(queries: QueryClient, order: Order): void {
  showOrder(queries, order);
  void queries.invalidateQueries({ queryKey: [...ordersKey, order.id] });
  void queries.invalidateQueries({ queryKey: ["/api/ledger"] });
}

/** Does something with one order; the lists show what came of it. */
export function useActOnOrder(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ act, ...body }: OrderRequest) =>
      request<{ order: Order }>(`/api/orders/${id}/${act}`, { method: "POST", body }),
    onSuccess: ({ order }) => orderChanged(queries, order),
  });
}

export type BulkAction = "pick_up" | "no_show" | "resend" | "cancel" | "refund";

/** The same for many orders; each is decided by itself. At most 200 go into one call. */
export function useActOnMany() {
  return useMutation({
    mutationFn: async ({
      action,
      ids,
      reason = "",
      onProgress,
    }: {
      action: BulkAction;
      ids: string[];
      reason?: string;
      onProgress?: (done: number) => void;
    }): Promise<BulkDone> => {
      const answer: BulkDone = { done: [], refused: [] };
      for (let start = 0; start < ids.length; start += MOST_AT_ONCE) {
        const part = await request<BulkDone>("/api/orders/bulk", {
          method: "POST",
          body: { action, ids: ids.slice(start, start + MOST_AT_ONCE), reason },
        });
        answer.done.push(...part.done);
        answer.refused.push(...part.refused);
        onProgress?.(answer.done.length + answer.refused.length);
      }
      return answer;
    },
  });
}

const MOST_AT_ONCE = 200;
