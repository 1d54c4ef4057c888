import { useMutation, useQueryClient } from "@tanstack/react-query";
import { request } from "@/api/client";
import type { Special } from "@/api/types";
import type { OfferPayload } from "../lib/offer-payload";
import { offersKey } from "./list-offers";

export function useCreateOffer() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: OfferPayload) =>
      request<Special>("/api/dishes/special-offers", { method: "POST", body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: offersKey }),
  });
}
