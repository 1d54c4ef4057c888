import { useMutation, useQueryClient } from "@tanstack/react-query";
import { request } from "@/api/client";
import type { Subscription } from "@/api/types";

/** Lets the subscription end with its month, or go on after all. */
export function useCancellation() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (action: "cancel" | "resume") =>
      request<Subscription>(`/api/subscriptions/${action}`, { method: "POST" }),
    onSuccess: (subscription) => client.setQueryData(["/api/subscriptions/status"], subscription),
  });
}
