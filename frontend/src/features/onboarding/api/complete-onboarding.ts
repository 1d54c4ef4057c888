import { useMutation } from "@tanstack/react-query";
import { request } from "@/api/client";

/** Records that the welcome was read. */
export function useCompleteOnboarding() {
  return useMutation({
    mutationFn: () => request<unknown>("/api/onboarding/complete", { method: "POST" }),
  });
}
