import { useQuery } from "@tanstack/react-query";
import type { OwnSlots } from "@/api/types";

export const slotsPath = (offerId: string) => `/api/specials/${offerId}/slots`;

export function useSlots(offerId: string) {
  return useQuery<OwnSlots>({ queryKey: [slotsPath(offerId)] });
}
