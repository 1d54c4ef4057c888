import { useMutation, useQueryClient } from "@tanstack/react-query";
import { request } from "@/api/client";
import type { OwnSlots, SlotInput } from "@/api/types";
import { editedMeanwhile } from "@/lib/merge-edits";
import { slotsPath } from "./get-slots";

/**
 * Replaces all slots; an empty list means that guests can come anytime that day. Refused if
 * somebody changed them since `version`: then theirs are what is saved.
 */
export function useSaveSlots(offerId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: { slots: SlotInput[]; version: string }) =>
      request<OwnSlots>(slotsPath(offerId), { method: "PUT", body }),
    onSuccess: (saved) => queries.setQueryData([slotsPath(offerId)], saved),
    onError: (failure) => {
      const current = editedMeanwhile<OwnSlots>(failure);
      if (current) queries.setQueryData([slotsPath(offerId)], current);
    },
  });
}
