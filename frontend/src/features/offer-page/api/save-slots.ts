import { useMutation, useQueryClient } from "@tanstack/react-query";
import { request } from "@/api/client";
import type { SlotInput } from "@/api/types";
import { type Slots, slotsPath } from "./get-slots";

/** Replaces all slots; an empty list means that guests can come anytime that day. */
export function useSaveSlots(offerId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (slots: SlotInput[]) =>
      request<Slots>(slotsPath(offerId), { method: "PUT", body: { slots } }),
    onSuccess: (saved) => queries.setQueryData([slotsPath(offerId)], saved),
  });
}
