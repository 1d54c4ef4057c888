import { useMutation, useQueryClient } from "@tanstack/react-query";
import { request } from "@/api/client";
import type { Platform, PostResults } from "@/api/types";
import { announcementsKey } from "./get-announcements";

interface AnnouncementInput {
  message: string;
  /** Replaces the message on Twitter. */
  shortMessage: string;
  /** Empty means every platform with a saved link. */
  platforms: Platform[];
}

export function usePublishAnnouncement() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: AnnouncementInput) =>
      request<PostResults>("/api/announcements/post", { method: "POST", body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: announcementsKey }),
  });
}
