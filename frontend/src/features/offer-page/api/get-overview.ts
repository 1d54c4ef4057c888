import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { Overview } from "@/api/types";

export const overviewKey = (id: string) => [`/api/specials/${id}/overview`] as const;

/**
 * The offer as the page was rendered, then as the server knows it: read again whenever `version`
 * differs from the one that the page was `rendered` with.
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
