import { useMutation } from "@tanstack/react-query";
import { request } from "@/api/client";
import type { BulkDone } from "@/api/types";

/** Orders in one call, as the server allows. */
const BATCH_SIZE = 200;

export type BulkAction = "pick_up" | "no_show" | "resend" | "cancel" | "refund";

/** Applies an action to many orders; each succeeds or fails on its own. */
export function useBulkOrderAction() {
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
      for (let start = 0; start < ids.length; start += BATCH_SIZE) {
        const part = await request<BulkDone>("/api/orders/bulk", {
          method: "POST",
          once: true,
          body: { action, ids: ids.slice(start, start + BATCH_SIZE), reason },
        });
        answer.done.push(...part.done);
        answer.refused.push(...part.refused);
        onProgress?.(answer.done.length + answer.refused.length);
      }
      return answer;
    },
  });
}
