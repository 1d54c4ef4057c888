import { request } from "@/api/client";

export const resetPassword = (token: string, password: string) =>
  request<{ message: string }>("/api/reset-password", {
    method: "POST",
    body: { token, password },
  });
