import { useQuery } from "@tanstack/react-query";
import type { OwnSlot } from "@/api/types";

export interface Slots {
  slots: OwnSlot[];
}

export const slotsPath = (offerId: string) => `/api/specials/${offerId}/slots`;

export function useSlots(offerId: string) {
  return useQuery<Slots>({ queryKey: [slotsPath(offerId)] });
}
