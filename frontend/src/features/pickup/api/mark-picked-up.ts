import { request } from "@/api/client";
import type { Order } from "@/api/types";

export const markPickedUp = (id: string) =>
  request<{ order: Order }>(`/api/orders/${id}/pick-up`, { method: "POST", body: {} });
