import { useQuery } from "@tanstack/react-query";
import type { Special } from "@/api/types";

export const offersKey = ["/api/specials/available"] as const;

/** How often the list is read while the page is visible, because pre-orders keep coming in. */
const FOLLOW_EVERY = 30_000;

/** The owner's offers: what the page was rendered with, then what the server says. */
export function useOffers(initial: Special[] | undefined) {
  return useQuery<{ specials: Special[] }>({
    queryKey: offersKey,
    initialData: initial && { specials: initial },
    refetchInterval: FOLLOW_EVERY,
  });
}
