import type { Order } from "@/api/types";
import { formatCents, parseCents } from "@/lib/money";
import type { BulkAction } from "../api/order-actions";
import { counted } from "./order-words";

export interface BulkKind {
  action: BulkAction;
  label: string;
  /** What the toast says of `count` orders. */
  done: (count: number) => string;
  /** Cannot be taken back, or writes to diners: asked first. */
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
    label: "Not picked up",
    done: (count) => `${counted(count, "order")} marked as not picked up`,
    asks: false,
  },
  {
    action: "resend",
    label: "Resend letter",
    done: (count) => `${counted(count, "letter")} on the way`,
    asks: true,
  },
  {
    action: "cancel",
    label: "Cancel",
    done: (count) => `${counted(count, "order")} being cancelled`,
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

/** Whole cents that were charged and not given back yet. */
export function chargedCents(order: Order): number {
  if (order.paymentStatus !== "captured") return 0;
  return (parseCents(order.totalAmount) ?? 0) - (parseCents(order.refundedAmount) ?? 0);
}

/** What will happen, to the money first. */
export function bulkMeans(action: BulkAction, orders: Order[]): string {
  const people = counted(orders.length, "diner");
  switch (action) {
    case "refund": {
      const cents = orders.reduce((sum, order) => sum + chargedCents(order), 0);
      return `${formatCents(cents)} goes back to ${people}: all that each was charged. The fees on it come back to you. This cannot be undone.`;
    }
    case "cancel": {
      const held = orders.filter(({ paymentStatus }) => paymentStatus === "authorized").length;
      const holds = held ? `${counted(held, "hold")} let go and nobody is charged. ` : "";
      return `${holds}${people} ${orders.length === 1 ? "gets" : "get"} a letter that says so. This cannot be undone.`;
    }
    case "resend":
      return `${people} ${orders.length === 1 ? "gets" : "get"} the latest letter about the order once more.`;
    default:
      return "";
  }
}
