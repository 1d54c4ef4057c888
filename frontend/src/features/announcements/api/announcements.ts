import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { request } from "@/api/client";
import type {
  Announcements,
  ComposedAnnouncement,
  Message,
  Platform,
  PostResults,
} from "@/api/types";

const KEY = ["/api/announcements"];

/** Where one can announce, and what was announced. Read anew whenever it is opened. */
export function useAnnouncements() {
  return useQuery<Announcements>({ queryKey: KEY, refetchOnMount: "always" });
}

/** A text from the specials as they stand; an empty list means all that are open. */
export function useGenerate() {
  return useMutation({
    mutationFn: (offerIds: string[]) =>
      request<ComposedAnnouncement>("/api/announcements/generate", {
        method: "POST",
        body: { offerIds },
      }),
  });
}

export interface Post {
  message: string;
  /** Stands in for the message on Twitter. */
  shortMessage: string;
  /** Empty: every one whose link is saved. */
  platforms: Platform[];
}

export function usePost() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Post) =>
      request<PostResults>("/api/announcements/post", { method: "POST", body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: KEY }),
  });
}

/** The owner's copy. */
export function useCourtesyCopy() {
  return useMutation({
    mutationFn: (body: { announcementMessage: string; platformsUsed: Platform[] }) =>
      request<Message>("/api/send-announcement-courtesy-copy", { method: "POST", body }),
  });
}
