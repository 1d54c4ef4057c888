import { request } from "@/api/client";
import type { ConfirmationRequest, Message } from "@/api/types";

/** Sends the email with the link that confirms an address. */
export function sendConfirmation(body: ConfirmationRequest): Promise<Message> {
  return request("/api/send-email-confirmation", { method: "POST", body });
}
