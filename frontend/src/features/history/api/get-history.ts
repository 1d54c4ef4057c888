import { useInfiniteQuery } from "@tanstack/react-query";
import { request } from "@/api/client";
import type { History } from "@/api/types";
import { firstSorting, type Sorting } from "../lib/sorting";

const historyKey = "/api/specials/history";

const FRESH_FOR = 10_000;

function historyPath({ column, order }: Sorting, cursor: string | null): string {
  const query = new URLSearchParams({ sort_by: column, sort_order: order });
  if (cursor) query.set("cursor", cursor);
  return `${historyKey}?${query}`;
}

/** Past specials in that order, page after page; the first page may have come with the document. */
export function useHistory(sorting: Sorting, initial: History | undefined) {
  const isFirst = sorting.column === firstSorting.column && sorting.order === firstSorting.order;
  return useInfiniteQuery({
    queryKey: [historyKey, sorting.column, sorting.order],
    queryFn: ({ pageParam, signal }) =>
      request<History>(historyPath(sorting, pageParam), { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    initialData: isFirst && initial ? { pages: [initial], pageParams: [null] } : undefined,
    // Specials end and are deleted while the dashboard is open, so the list is read again whenever
    // it is shown.
    staleTime: FRESH_FOR,
    // While another order is fetched the rows stay, so that nothing jumps.
    placeholderData: (before) => before,
  });
}
