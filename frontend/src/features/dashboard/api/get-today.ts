import { useQuery } from "@tanstack/react-query";
import type { Today } from "@/api/types";

export const todayKey = ["/api/today"] as const;

/**
 * How specials ended a moment ago, and the money: as the page was rendered, then as the server has
 * it.
 */
export function useToday(initial: Today) {
  return useQuery<Today>({ queryKey: todayKey, initialData: initial }).data;
}
