import { useMutation, useQueryClient } from "@tanstack/react-query";
import { request } from "@/api/client";
import type { Special } from "@/api/types";
import type { OfferChanges } from "../lib/offer-payload";
import { offersKey } from "./list-offers";

/** The answer can be empty (DECISIONS X31), so the list is read again, whatever the result. */
export function useUpdateOffer() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id, body }: { id: string; body: OfferChanges }) =>
      request<Special | undefined>(`/api/dishes/${id}`, { method: "PUT", body }),
    onSettled: () => queries.invalidateQueries({ queryKey: offersKey }),
  });
}
