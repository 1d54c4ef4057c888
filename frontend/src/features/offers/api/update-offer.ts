import { useMutation, useQueryClient } from "@tanstack/react-query";
import { request } from "@/api/client";
import type { Special } from "@/api/types";
import type { OfferPayload } from "../lib/offer-payload";
import { offersKey } from "./list-offers";

/** The answer may be empty (X31), so the list is read again. */
export function useUpdateOffer() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id, body }: { id: string; body: OfferPayload }) =>
      request<Special | undefined>(`/api/dishes/${id}`, { method: "PUT", body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: offersKey }),
  });
}
