import { useMutation } from "@tanstack/react-query";
import { request } from "@/api/client";
import type { RegisteredTenant } from "@/api/types";
import type { RegisterValues } from "../lib/register-schema";

/** Makes the restaurant and, for someone new, the account; signed in by the answer's cookie. */
export function useRegisterTenant() {
  return useMutation({
    mutationFn: (body: Partial<RegisterValues> & { hcaptchaToken?: string; startedAt?: string }) =>
      request<RegisteredTenant>("/api/multi-tenant/register", { method: "POST", body }),
  });
}
