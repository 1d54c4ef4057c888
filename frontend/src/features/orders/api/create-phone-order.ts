import { useMutation, useQueryClient } from "@tanstack/react-query";
import { request } from "@/api/client";
import type { Order } from "@/api/types";
import type { PhoneOrderValues } from "../lib/phone-order-schema";
import { ordersKey } from "./list-orders";

interface PhoneOrderInput {
  offerId: string;
  quantity: number;
  customerName: string;
  customerPhone: string;
  customerEmail: string;
  note: string;
  slotId: number | null;
  serviceMode: PhoneOrderValues["serviceMode"];
}

export interface PhoneOrderBegun {
  order: Order;
  payUrl: string;
  /** When the link ends and the portions are free again. */
  expiresAt: string;
}

/** An order taken by phone: its portions are reserved while the guest pays by the link. */
export function usePhoneOrder() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: PhoneOrderInput) =>
      request<PhoneOrderBegun>("/api/orders/phone", { method: "POST", body, once: true }),
    onSuccess: () => queries.invalidateQueries({ queryKey: [...ordersKey, "list"] }),
  });
}
