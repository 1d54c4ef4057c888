import { useMutation } from "@tanstack/react-query";
import { request } from "@/api/client";
import type { RegisterValues } from "../lib/register-schema";
import type { Tenant } from "../types";

/** Makes the restaurant and, for somebody new, the account; signed in by the answer's cookie. */
export function useRegisterTenant() {
  return useMutation({
    mutationFn: (body: Partial<RegisterValues>) =>
      request<{ tenant: Tenant }>("/api/multi-tenant/register", { method: "POST", body }),
  });
}
