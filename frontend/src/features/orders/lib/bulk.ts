import type { Order } from "@/api/types";
import { formatCents, parseCents } from "@/lib/money";
import type { BulkAction } from "../api/bulk-order-action";
import { counted } from "./order-labels";

export interface BulkKind {
  action: BulkAction;
  label: string;
  /** What the toast says about `count` orders. */
  done: (count: number) => string;
  /** Actions that can't be undone, or that email guests, are confirmed first. */
  asks: boolean;
}

export const bulkKinds: BulkKind[] = [
  {
    action: "pick_up",
    label: "Picked up",
    done: (count) => `${counted(count, "order")} picked up`,
    asks: false,
  },
  {
    action: "no_show",
    label: "No-show",
    done: (count) => `${counted(count, "order")} marked as no-show`,
    asks: false,
  },
  {
    action: "resend",
    label: "Resend email",
    done: (count) => `${counted(count, "email")} on the way`,
    asks: true,
  },
  {
    action: "cancel",
    label: "Cancel",
    done: (count) => `${counted(count, "order")} being canceled`,
    asks: true,
  },
  {
    action: "refund",
    label: "Refund",
    done: (count) => `${counted(count, "refund")} on the way`,
    asks: true,
  },
];

export const allowing = (orders: Order[], action: BulkAction) =>
  orders.filter(({ actions }) => actions.includes(action));

/** Whole cents that were charged and not refunded yet. */
function chargedCents(order: Order): number {
  if (order.paymentStatus !== "captured") return 0;
  return (parseCents(order.totalAmount) ?? 0) - (parseCents(order.refundedAmount) ?? 0);
}

/** What will happen, to the money first. */
export function bulkConsequence(action: BulkAction, orders: Order[]): string {
  const people = counted(orders.length, "guest");
  switch (action) {
    case "refund": {
      const cents = orders.reduce((sum, order) => sum + chargedCents(order), 0);
      return `We'll refund ${formatCents(cents)} to ${people}, everything they were charged. You get the fees back. This can't be undone.`;
    }
    case "cancel": {
      const held = orders.filter(({ paymentStatus }) => paymentStatus === "authorized").length;
      const holds = held ? `We'll release ${counted(held, "hold")} and charge no one. ` : "";
      return `${holds}${whoIsEmailed(orders)} This can't be undone.`;
    }
    case "resend":
      return `We'll resend the latest order email to ${people}.`;
    default:
      return "";
  }
}

/** "We'll email 3 guests. 1 left no email address, so call them." */
function whoIsEmailed(orders: Order[]): string {
  const silent = orders.filter(({ customerEmail }) => !customerEmail).length;
  const emailed = orders.length - silent;
  const sentences = emailed ? [`We'll email ${counted(emailed, "guest")}.`] : [];
  if (silent) sentences.push(`${counted(silent, "guest")} left no email address, so call them.`);
  return sentences.join(" ");
}
