import { useMutation, useQueryClient } from "@tanstack/react-query";
import { request } from "@/api/client";
import type { OfferInput, Special } from "@/api/types";
import { offersKey } from "./list-offers";

/** Sent again with the same `key`, it returns the special that was published the first time. */
export function useCreateOffer() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ body, key }: { body: OfferInput; key: string }) =>
      request<Special>("/api/dishes/special-offers", { method: "POST", body, key }),
    onSuccess: () => queries.invalidateQueries({ queryKey: offersKey }),
  });
}
