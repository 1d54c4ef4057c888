import type { Order, PickUp } from "@/api/types";

/** What pickup needs of an order, and all that is stored on the device. */
export type PickupOrder = Pick<
  Order,
  | "id"
  | "code"
  | "customerName"
  | "quantity"
  | "servedName"
  | "offerServeDate"
  | "slot"
  | "serviceMode"
  | "note"
  | "actions"
>;
export type Verdict = PickUp["verdict"];
export interface LookUp {
  verdict: Verdict;
  sentence: string;
  order: PickupOrder | null;
}

/** The day's orders as they were when the device last had a connection. */
export interface StoredDay {
  restaurant: string;
  /** Who was signed in. */
  person: string;
  /** 'YYYY-MM-DD' in the restaurant's zone. */
  day: string;
  readAt: string;
  orders: LookUp[];
}

/** An order marked as picked up here. Its id is the device's own, so that it counts once. */
export interface CheckIn {
  id: string;
  restaurant: string;
  orderId: string;
  madeAt: string;
  guest: string;
  /** Why the server didn't count it; undefined while it waits to be sent. */
  objection?: string;
}

/** How far the day's pickup has come, in orders and in portions. */
export interface DayCount {
  orders: number;
  pickedUp: number;
  portions: number;
  portionsPickedUp: number;
}
