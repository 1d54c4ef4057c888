import { useMutation, useQueryClient } from "@tanstack/react-query";
import { request } from "@/api/client";
import type { OfferEditInput, Special } from "@/api/types";
import { offersKey } from "./list-offers";

/** The answer may be empty (DECISIONS X31), so the list is read again. */
export function useUpdateOffer() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id, body }: { id: string; body: OfferEditInput }) =>
      request<Special | undefined>(`/api/dishes/${id}`, { method: "PUT", body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: offersKey }),
  });
}
