import { request } from "@/api/client";

/** Whether the link still works; a refusal is an answer, not a failure. */
export const validateResetToken = (token: string) =>
  request<{ valid: boolean }>("/api/validate-reset-token", { method: "POST", body: { token } });
