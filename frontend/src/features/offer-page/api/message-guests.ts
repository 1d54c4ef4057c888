import { useMutation, useQueryClient } from "@tanstack/react-query";
import { request } from "@/api/client";
import type { GuestMessagePreview } from "@/api/types";
import { freshKey } from "@/lib/fresh-key";
import { overviewKey } from "./get-overview";

/** What the first guest would read; nothing is sent. */
export function usePreviewMessage(id: string) {
  return useMutation({
    mutationFn: (text: string) =>
      request<GuestMessagePreview>(`/api/specials/${id}/messages/preview`, {
        method: "POST",
        body: { text },
      }),
  });
}

/** Emails the guests of a special; `key` names the message, so that it is sent once. */
export function useMessageGuests(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ text, key }: { text: string; key: string }) =>
      request<{ message: string; guests: number }>(`/api/specials/${id}/messages`, {
        method: "POST",
        body: { text },
        key,
      }),
    onSuccess: () => queries.invalidateQueries({ queryKey: overviewKey(id) }),
  });
}

export const newMessageKey = freshKey;
