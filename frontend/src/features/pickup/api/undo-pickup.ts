import { request } from "@/api/client";
import type { Order } from "@/api/types";

export const undoPickup = (id: string) =>
  request<{ order: Order }>(`/api/orders/${id}/undo`, { method: "POST", body: {} });
