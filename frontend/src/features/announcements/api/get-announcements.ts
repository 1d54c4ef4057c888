import { useQuery } from "@tanstack/react-query";
import type { Announcements } from "@/api/types";

export const announcementsKey = ["/api/announcements"];

/** Where the restaurant can announce, and past announcements. Read again on every mount. */
export function useAnnouncements() {
  return useQuery<Announcements>({ queryKey: announcementsKey, refetchOnMount: "always" });
}
