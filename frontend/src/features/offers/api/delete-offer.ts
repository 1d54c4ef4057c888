import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ApiError, request } from "@/api/client";
import type { DeletedOffer } from "@/api/types";
import { offersKey } from "./list-offers";

/** Whether a refusal means that guests hold pre-orders, not that something broke. */
export function isRefusedForPreorders(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    typeof error.body === "object" &&
    (error.body as Partial<DeletedOffer> | null)?.hasPreorders === true
  );
}

export function useDeleteOffer() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => request<DeletedOffer>(`/api/specials/${id}`, { method: "DELETE" }),
    onSuccess: () => queries.invalidateQueries({ queryKey: offersKey }),
  });
}
