import type { Order, PaymentStatus } from "@/api/types";
import { dayAfter, formatDay } from "@/lib/times";
import type { BadgeTone } from "@/ui/badge";

type StatusOfOrder = Pick<Order, "status" | "paymentStatus">;

/** Color and icon of an order's state; the words come from the server. */
export function statusTone({ status, paymentStatus }: StatusOfOrder): BadgeTone {
  // No card yet: nothing is on hold.
  if (status === "pending" && ["unpaid", "requires_action"].includes(paymentStatus)) return "other";
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

/** Color and icon of a payment's state; the words come from the server. */
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

/** 'Today', 'Tomorrow' or 'Thu, Nov 26': a serve day on a button. */
export function dayName(day: string, today: string): string {
  if (day === today) return "Today";
  return day === dayAfter(today) ? "Tomorrow" : formatDay(day);
}

/** 'Today, Tue, Nov 24', 'Thu, Nov 26' or 'Thu, Nov 26, 2025': a serve day as a heading. */
export function dayTitle(day: string, today: string): string {
  const [name, text] = [dayName(day, today), formatDay(day)];
  if (name !== text) return `${name}, ${text}`;
  return day.slice(0, 4) === today.slice(0, 4) ? text : `${text}, ${day.slice(0, 4)}`;
}

/** What canceling means for the guest's money right now. */
export function cancelConsequence(order: Order): string {
  switch (order.paymentStatus) {
    case "authorized":
      return order.customerEmail
        ? "We'll release the hold, charge nothing, and email the guest."
        : `We'll release the hold and charge nothing. ${NO_EMAIL}`;
    case "captured":
      return order.customerEmail
        ? "The card was charged. We'll refund it and email the guest."
        : `The card was charged. We'll refund it. ${NO_EMAIL}`;
    case "capture_failed":
      return "The charge failed, so nothing was charged. The payment link will stop working.";
    default:
      return "No card is on hold, so nothing is charged. The payment link will stop working.";
  }
}

const NO_EMAIL = "This guest left no email address, so call them.";
