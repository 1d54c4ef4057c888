import { request } from "@/api/client";
import type { Order } from "@/api/types";
import type { DayCount, LookUp } from "../types";

/** Whose order a short code, or the text of a QR code, is, and whether it may be handed out. */
export const lookUp = (code: string) =>
  request<LookUp>(`/api/pick-up?${new URLSearchParams({ code })}`);

export const handOut = (id: string) =>
  request<{ order: Order }>(`/api/orders/${id}/pick-up`, { method: "POST", body: {} });

export const takeBack = (id: string) =>
  request<{ order: Order }>(`/api/orders/${id}/undo`, { method: "POST", body: {} });

export const countOfToday = () => request<DayCount>("/api/pick-up/today");
