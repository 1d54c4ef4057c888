import { useMutation } from "@tanstack/react-query";
import { request } from "@/api/client";
import type { BillingPortal } from "@/api/types";

/** A link to the payment provider's pages about bills and cards; it works for a few minutes. */
export function useBillingPortal() {
  return useMutation({
    mutationFn: () =>
      request<BillingPortal>("/api/subscriptions/billing-portal", { method: "POST" }),
  });
}
