import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { request } from "@/api/client";
import type { Overview, RescueInput, Trial } from "@/api/types";

const overviewKey = (id: string) => [`/api/specials/${id}/overview`] as const;

/**
 * The offer as the page was rendered with, then as the server says: read again when `version` is no
 * longer the one that the page was `rendered` with, and with every other one.
 */
export function useOverview(initial: Overview, version: string, rendered: string) {
  const queries = useQueryClient();
  const { id } = initial.special;
  useEffect(() => {
    if (version === rendered) return;
    void queries.invalidateQueries({ queryKey: overviewKey(id) });
  }, [queries, id, version, rendered]);
  return useQuery<Overview>({ queryKey: overviewKey(id), initialData: initial });
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
