import { useMutation } from "@tanstack/react-query";
import { request } from "@/api/client";

export type Tier = "free" | "branded";

/** Upgrades at once and downgrades from the next month on; the server sets the share (DECISIONS X7). */
export function useChoosePlan() {
  return useMutation({
    mutationFn: ({ tier, share }: { tier: string; share?: string }) =>
      request<unknown>("/api/restaurant/upgrade-tier", {
        method: "PUT",
        body: { subscriptionTier: tier, revenueSharePercentage: share },
      }),
  });
}
