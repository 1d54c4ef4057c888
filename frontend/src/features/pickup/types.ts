import type { PickUp } from "@/api/types";

export type LookUp = PickUp;
export type Verdict = PickUp["verdict"];

/** How far the day's pickup has come, in orders and in portions. */
export interface DayCount {
  orders: number;
  pickedUp: number;
  portions: number;
  portionsPickedUp: number;
}
