import { useQuery } from "@tanstack/react-query";
import type { Today } from "@/api/types";

export const todayKey = ["/api/today"] as const;

/** How specials just ended and the money, as the page was rendered and then as the server knows. */
export function useToday(initial: Today) {
  return useQuery<Today>({ queryKey: todayKey, initialData: initial }).data;
}
