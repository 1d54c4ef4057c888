import { request } from "@/api/client";

export const forgotPassword = (email: string) =>
  request<{ message: string }>("/api/forgot-password", { method: "POST", body: { email } });
