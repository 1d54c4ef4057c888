import { request } from "@/api/client";
import type { LookUp, PickupOrder } from "../types";

interface Day {
  day: string;
  readAt: string;
  orders: LookUp[];
}

function needed(order: PickupOrder): PickupOrder {
  const {
    id,
    code,
    customerName,
    quantity,
    servedName,
    offerServeDate,
    slot,
    serviceMode,
    note,
    actions,
  } = order;
  return {
    id,
    code,
    customerName,
    quantity,
    servedName,
    offerServeDate,
    slot,
    serviceMode,
    note,
    actions,
  };
}

/** Today's orders, without what pickup doesn't need: no email addresses or phone numbers. */
export async function getDay(): Promise<Day> {
  const { day, readAt, orders } = await request<Day>("/api/pick-up/list");
  return {
    day,
    readAt,
    orders: orders.map(({ verdict, sentence, order }) => ({
      verdict,
      sentence,
      order: order && needed(order),
    })),
  };
}
