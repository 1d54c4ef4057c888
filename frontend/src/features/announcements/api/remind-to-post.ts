import { useMutation, useQueryClient } from "@tanstack/react-query";
import { request } from "@/api/client";
import type { Announcement } from "@/api/types";
import { announcementsKey } from "./get-announcements";

interface ReminderInput {
  message: string;
  shortMessage: string;
  /** A moment, as ISO 8601. */
  remindAt: string;
}

/** Reminds whoever asks to post the text at that time. */
export function useRemindToPost() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: ReminderInput) =>
      request<Announcement>("/api/announcements/reminder", { method: "PUT", body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: announcementsKey }),
  });
}

export function useCancelReminder() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (announcementId: string) =>
      request<void>(`/api/announcements/${announcementId}/reminder`, { method: "DELETE" }),
    onSettled: () => queries.invalidateQueries({ queryKey: announcementsKey }),
  });
}
