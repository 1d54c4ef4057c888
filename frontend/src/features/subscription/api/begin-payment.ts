import { useMutation } from "@tanstack/react-query";
import { request } from "@/api/client";
import type { SubscriptionPayment } from "@/api/types";

interface PaymentInput {
  amount: number;
  currency: string;
  email: string;
  name: string;
  acceptedTerms: boolean;
  hcaptchaToken?: string;
  startedAt?: string;
}

/** The first month's payment, for the payment provider's script; sending it again goes on with it. */
export function useBeginPayment() {
  return useMutation({
    mutationFn: (body: PaymentInput) =>
      request<SubscriptionPayment>("/api/create-subscription-payment-intent", {
        method: "POST",
        body,
      }),
  });
}
