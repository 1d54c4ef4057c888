import { useMutation } from "@tanstack/react-query";
import { request } from "@/api/client";

export type Tier = "free" | "branded";

/** The share travels with the tier because the contract says so; the server takes its own (DECISIONS X7). */
export function useUpgradeTier() {
  return useMutation({
    mutationFn: ({ tier, share }: { tier: Tier; share: string }) =>
      request<unknown>("/api/restaurant/upgrade-tier", {
        method: "PUT",
        body: { subscriptionTier: tier, revenueSharePercentage: share },
      }),
  });
}
