import { useMutation, useQueryClient } from "@tanstack/react-query";
import { request } from "@/api/client";
import type { OfferInput, Special } from "@/api/types";
import { offersKey } from "./list-offers";

export function useCreateOffer() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: OfferInput) =>
      request<Special>("/api/dishes/special-offers", { method: "POST", body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: offersKey }),
  });
}
