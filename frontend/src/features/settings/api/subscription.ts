import { useMutation, useQuery } from "@tanstack/react-query";
import { request } from "@/api/client";
import type { BillingPortal, Subscription } from "@/api/types";

/** Where the subscription stands. */
export function useSubscription() {
  return useQuery<Subscription>({ queryKey: ["/api/subscriptions/status"] });
}

/** A link to the processor's pages about bills and cards; it works for minutes. */
export function useBillingPortal() {
  return useMutation({
    mutationFn: () =>
      request<BillingPortal>("/api/subscriptions/billing-portal", { method: "POST" }),
  });
}
