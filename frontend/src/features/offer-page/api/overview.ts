import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { request } from "@/api/client";
import type { Overview, RescueInput, Trial } from "@/api/types";

/** While the page is looked at, pre-orders keep coming in. */
const FOLLOW_EVERY = 10_000;

const overviewKey = (id: string) => [`/api/specials/${id}/overview`] as const;

/** The offer as the page was rendered with, then as the server says; a settled one stays. */
export function useOverview(initial: Overview) {
  return useQuery<Overview>({
    queryKey: overviewKey(initial.special.id),
    initialData: initial,
    refetchInterval: ({ state }) =>
      state.data?.outcome && state.data.outcome.unsettled === 0 ? false : FOLLOW_EVERY,
  });
}

/** What an act would bring; asked again whenever it, or the orders it is about, change. */
export function useTrial(id: string, act: RescueInput | null, asOf: number) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(act ?? {})) query.set(name, String(value));
  return useQuery<Trial>({
    queryKey: ["trial", id, query.toString(), asOf],
    queryFn: ({ signal }) => request(`/api/specials/${id}/rescue?${query}`, { signal }),
    enabled: act !== null,
    placeholderData: (before) => before,
  });
}

/** Carries an act out; the answer is the page afterwards. */
export function useRescue(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: RescueInput) =>
      request<Overview>(`/api/specials/${id}/rescue`, { method: "POST", body }),
    onSuccess: (overview) => queries.setQueryData(overviewKey(id), overview),
  });
}
