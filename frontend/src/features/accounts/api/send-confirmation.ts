import { request } from "@/api/client";

export interface ConfirmationRequest {
  email: string;
  hcaptchaToken: string;
  /** Filled by machines alone (X42). */
  website?: string;
  /** When the form was opened, signed by the server (X42). */
  startedAt?: string;
}

/** Sends the letter with the link that confirms an address (A45). */
export function sendConfirmation(body: ConfirmationRequest): Promise<{ message: string }> {
  return request("/api/send-email-confirmation", { method: "POST", body });
}
