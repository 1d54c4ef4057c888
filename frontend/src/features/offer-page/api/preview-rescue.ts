import { useQuery } from "@tanstack/react-query";
import { request } from "@/api/client";
import type { RescueInput, RescuePreview } from "@/api/types";

/** What an action would do; requested again whenever the action or the orders change. */
export function useRescuePreview(id: string, input: RescueInput | null, asOf: number) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input ?? {})) query.set(name, String(value));
  return useQuery<RescuePreview>({
    queryKey: ["rescue-preview", id, query.toString(), asOf],
    queryFn: ({ signal }) => request(`/api/specials/${id}/rescue?${query}`, { signal }),
    enabled: input !== null,
    placeholderData: (before) => before,
  });
}
