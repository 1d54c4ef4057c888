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

/** What cancelling means for the diner's money, as things stand. */
export function cancelMeans(order: Order): string {
  switch (order.paymentStatus) {
    case "authorized":
      return "The hold is let go and nobody is charged. The diner gets a letter that says so.";
    case "captured":
      return "The card was charged: the money is given back and the diner gets a letter.";
    case "capture_failed":
      return "The charge has failed, so nobody was charged. The link to pay stops working.";
    default:
      return "No card was held, so nobody is charged. The link to pay stops working.";
  }
}
