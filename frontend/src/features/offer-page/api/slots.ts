import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { request } from "@/api/client";
import type { OwnSlot, SlotInput } from "@/api/types";

interface Slots {
  slots: OwnSlot[];
}

const path = (offerId: string) => `/api/specials/${offerId}/slots`;

export function useSlots(offerId: string) {
  return useQuery<Slots>({ queryKey: [path(offerId)] });
}

/** The slots are sent whole; none means that guests come at any time of the day. */
export function useSaveSlots(offerId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (slots: SlotInput[]) =>
      request<Slots>(path(offerId), { method: "PUT", body: { slots } }),
    onSuccess: (saved) => queries.setQueryData([path(offerId)], saved),
  });
}
