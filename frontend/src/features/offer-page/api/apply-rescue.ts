import { useMutation, useQueryClient } from "@tanstack/react-query";
import { request } from "@/api/client";
import type { Overview, RescueInput } from "@/api/types";
import { overviewKey } from "./get-overview";

/** Applies a rescue action; the answer is the page afterwards. */
export function useApplyRescue(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: RescueInput) =>
      request<Overview>(`/api/specials/${id}/rescue`, { method: "POST", body, once: true }),
    onSuccess: (overview) => queries.setQueryData(overviewKey(id), overview),
  });
}
