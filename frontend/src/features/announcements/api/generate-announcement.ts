import { useMutation } from "@tanstack/react-query";
import { request } from "@/api/client";
import type { AnnouncementWish, ComposedAnnouncement } from "@/api/types";

/** Writes a text about the specials; an empty list means all open ones. */
export function useGenerateAnnouncement() {
  return useMutation({
    mutationFn: (body: AnnouncementWish) =>
      request<ComposedAnnouncement>("/api/announcements/generate", { method: "POST", body }),
  });
}
