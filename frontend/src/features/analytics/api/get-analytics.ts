import { useQuery } from "@tanstack/react-query";
import { request } from "@/api/client";
import type { Analytics } from "@/api/types";

export interface Question {
  /** Days, YYYY-MM-DD, of the restaurant's calendar. */
  from: string;
  to: string;
  /** A special's id, or '' for all. */
  offer: string;
}

/** The figures of a period; the first ones come with the page. */
export function useAnalytics(question: Question, initial: Analytics) {
  const { from, to, offer } = question;
  const isFirst = !offer && from === initial.period.first && to === initial.period.last;
  return useQuery({
    queryKey: ["/api/analytics", from, to, offer],
    queryFn: ({ signal }) => {
      const query = new URLSearchParams({ from, to, ...(offer && { offer }) });
      return request<Analytics>(`/api/analytics?${query}`, { signal });
    },
    initialData: isFirst ? initial : undefined,
    // While other figures are fetched, the previous ones stay, paler.
    placeholderData: (before) => before,
  });
}
