import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ApiError, request } from "@/api/client";
import { offersKey } from "./list-offers";

export interface DeleteAnswer {
  message: string;
  hasPreorders: boolean;
  offerName: string;
}

/** Whether a refusal means that diners hold pre-orders, not that something broke. */
export function isRefusedForPreorders(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    typeof error.body === "object" &&
    (error.body as Partial<DeleteAnswer> | null)?.hasPreorders === true
  );
}

export function useDeleteOffer() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => request<DeleteAnswer>(`/api/specials/${id}`, { method: "DELETE" }),
    onSuccess: () => queries.invalidateQueries({ queryKey: offersKey }),
  });
}
