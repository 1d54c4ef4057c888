import type { Order, PaymentStatus } from "@/api/types";
import type { BadgeTone } from "@/ui/badge";

/** Colour and icon of an order's state; the words come from the server. */
export function statusTone(status: Order["status"]): BadgeTone {
  switch (status) {
    case "confirmed":
    case "fulfilled":
      return "herb";
    case "pending":
      return "honey";
    case "no_show":
      return "berry";
    default:
      return "other";
  }
}

/** Colour and icon of a payment's state; the words come from the server. */
export function paymentTone(paymentStatus: PaymentStatus): BadgeTone {
  switch (paymentStatus) {
    case "captured":
      return "herb";
    case "authorized":
    case "requires_action":
      return "honey";
    case "capture_failed":
      return "berry";
    default:
      return "other";
  }
}

export const counted = (count: number, one: string, many = `${one}s`) =>
  `${count.toLocaleString("en-US")} ${count === 1 ? one : many}`;

/** What canceling means for the guest's money right now. */
export function cancelConsequence(order: Order): string {
  switch (order.paymentStatus) {
    case "authorized":
      return "We'll release the hold, charge nothing, and email the guest.";
    case "captured":
      return "The card was charged. We'll refund it and email the guest.";
    case "capture_failed":
      return "The charge failed, so nothing was charged. The payment link will stop working.";
    default:
      return "No card is on hold, so nothing is charged. The payment link will stop working.";
  }
}
