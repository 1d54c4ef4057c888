import { useMutation } from "@tanstack/react-query";
import { request } from "@/api/client";
import type { Message, Platform } from "@/api/types";

/** Emails the announcement to the owner. */
export function useCourtesyCopy() {
  return useMutation({
    mutationFn: (body: { announcementMessage: string; platformsUsed: Platform[] }) =>
      request<Message>("/api/send-announcement-courtesy-copy", { method: "POST", body }),
  });
}
