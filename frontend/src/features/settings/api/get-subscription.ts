import { useQuery } from "@tanstack/react-query";
import type { Subscription } from "@/api/types";

/** The subscription's status. */
export function useSubscription() {
  return useQuery<Subscription>({ queryKey: ["/api/subscriptions/status"] });
}
