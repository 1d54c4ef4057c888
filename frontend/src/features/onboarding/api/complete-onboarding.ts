import { useMutation } from "@tanstack/react-query";
import { request } from "@/api/client";

/** Says that the tutorial was read. */
export function useCompleteOnboarding() {
  return useMutation({
    mutationFn: () => request<unknown>("/api/onboarding/complete", { method: "POST" }),
  });
}
