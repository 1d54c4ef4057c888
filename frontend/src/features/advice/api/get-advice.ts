import { useQuery } from "@tanstack/react-query";
import { request } from "@/api/client";
import type { Advice } from "@/api/types";

/** The special as typed so far, in the API's words; empty fields are left out. */
interface AdviceFacts {
  price: string;
  minimum: string;
  maximum?: string;
  fixedCost?: string;
  portionCost?: string;
  /** A published special's id. */
  offer?: string;
}

/** What to expect of the special; requested only once it has a price and a minimum. */
export function useAdvice(facts: AdviceFacts) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(facts)) if (value) query.set(name, value);
  return useQuery<Advice>({
    queryKey: ["advice", query.toString()],
    queryFn: ({ signal }) => request(`/api/specials/advice?${query}`, { signal }),
    enabled: Boolean(facts.price && Number(facts.minimum) > 0),
    placeholderData: (before) => before,
  });
}
