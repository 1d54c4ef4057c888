import { useQuery } from "@tanstack/react-query";
import type { Completion } from "@/api/types";

const POLL_EVERY = 30_000;
const STALE_AFTER = 10_000;

/** Which parts of the setup are done, followed while the page is open. */
export function useCompletion(initial?: Completion) {
  return useQuery<Completion>({
    queryKey: ["/api/restaurant/completion"],
    initialData: initial,
    staleTime: STALE_AFTER,
    refetchInterval: POLL_EVERY,
    refetchOnWindowFocus: true,
    retry: 1,
  });
}
