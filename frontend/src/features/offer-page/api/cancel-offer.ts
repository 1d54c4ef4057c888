import { useMutation, useQueryClient } from "@tanstack/react-query";
import { request } from "@/api/client";
import type { CancelledOffer } from "@/api/types";
import { overviewKey } from "./get-overview";

interface Cancellation {
  /** What the guests read. */
  reason: string;
  /** Whether the special's page says it, too. */
  isReasonPublic: boolean;
}

/** Cancels a special with all its orders. */
export function useCancelOffer(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Cancellation) =>
      request<CancelledOffer>(`/api/specials/${id}/cancel`, { method: "POST", body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: overviewKey(id) }),
  });
}
