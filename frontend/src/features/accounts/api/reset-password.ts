import { request } from "@/api/client";

export const forgotPassword = (email: string) =>
  request<{ message: string }>("/api/forgot-password", { method: "POST", body: { email } });

/** Whether the link still works; a refusal is an answer, not a failure. */
export const validateResetToken = (token: string) =>
  request<{ valid: boolean }>("/api/validate-reset-token", { method: "POST", body: { token } });

export const resetPassword = (token: string, password: string) =>
  request<{ message: string }>("/api/reset-password", {
    method: "POST",
    body: { token, password },
  });
