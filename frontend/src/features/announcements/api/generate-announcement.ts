import { useMutation } from "@tanstack/react-query";
import { request } from "@/api/client";
import type { ComposedAnnouncement } from "@/api/types";

/** Writes a text about the specials; an empty list means all open ones. */
export function useGenerateAnnouncement() {
  return useMutation({
    mutationFn: (offerIds: string[]) =>
      request<ComposedAnnouncement>("/api/announcements/generate", {
        method: "POST",
        body: { offerIds },
      }),
  });
}
