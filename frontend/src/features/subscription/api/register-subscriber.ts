import { useMutation } from "@tanstack/react-query";
import { request } from "@/api/client";
import type { Subscriber } from "@/api/types";

interface SubscriberInput {
  email: string;
  name: string;
  paymentIntentId: string;
  acceptedTerms: boolean;
}

/** Registers what was paid for and signs in; safe to repeat. */
export function useRegisterSubscriber() {
  return useMutation({
    mutationFn: (body: SubscriberInput) =>
      request<Subscriber>("/api/restaurant/register", { method: "POST", body }),
  });
}
