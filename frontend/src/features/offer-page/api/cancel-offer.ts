import { useMutation, useQueryClient } from "@tanstack/react-query";
import { request } from "@/api/client";
import type { CancelledOffer } from "@/api/types";
import { overviewKey } from "./get-overview";

/** Cancels a special with all its orders; `reason` is what the guests read. */
export function useCancelOffer(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (reason: string) =>
      request<CancelledOffer>(`/api/specials/${id}/cancel`, { method: "POST", body: { reason } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: overviewKey(id) }),
  });
}
