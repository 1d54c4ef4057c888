import {
  keepPreviousData,
  type QueryClient,
  useInfiniteQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { request } from "@/api/client";
import type { Order, OrderPage } from "@/api/types";
import { filtersQuery, type OrderFilters } from "../lib/filters";
import { arrivals, type OrderPages, withFreshPage, withOrder } from "../lib/pages";

export const ordersKey = ["/api/orders"] as const;

function fetchPage(query: string, cursor: string | null, signal?: AbortSignal) {
  const params = new URLSearchParams(query);
  if (cursor) params.set("cursor", cursor);
  params.set("sort", "serve_day");
  return request<OrderPage>(`/api/orders?${params}`, { signal });
}

/** Puts the order as it is now into every list that shows it. */
export function showOrder(queries: QueryClient, order: Order): void {
  queries.setQueriesData<OrderPages>({ queryKey: [...ordersKey, "list"] }, (data) =>
    data ? withOrder(data, order) : undefined,
  );
}

/**
 * The restaurant's orders by serve day, from `today` on, a page at a time. Whenever `version`
 * changes, the first page is read again and so are those that are looked at; the others are when
 * they come into view, so that a list of thousands costs no more to follow than a short one.
 */
export function useOrders(
  filters: OrderFilters,
  initial: OrderPage | undefined,
  version: string,
  today: string,
) {
  const queries = useQueryClient();
  const query = filtersQuery(filters);
  const [rendered] = useState(query);
  // After midnight it is another list, in which yesterday's orders come later.
  const queryKey = useMemo(() => [...ordersKey, "list", query, today], [query, today]);
  const list = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => fetchPage(query, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    // The page was rendered with the orders of the filters that its address had.
    initialData:
      initial && query === rendered ? { pages: [initial], pageParams: [null] } : undefined,
    placeholderData: keepPreviousData,
  });
  const { refetch } = list;

  const [arrived, setArrived] = useState<Order[]>([]);
  const refresh = useCallback(
    async (index: number) => {
      const shown = queries.getQueryData<OrderPages>(queryKey);
      if (!shown || index >= shown.pages.length) return;
      const fresh = await fetchPage(query, shown.pageParams[index] ?? null);
      const latest = arrivals(shown.pages, fresh);
      if (latest.length) setArrived(latest);
      const now = queries.getQueryData<OrderPages>(queryKey);
      const next = now && withFreshPage(now, index, fresh, today);
      if (next) queries.setQueryData(queryKey, next);
      else await refetch();
    },
    [queries, query, queryKey, refetch, today],
  );

  const inView = useRef(new Set<number>());
  const readAt = useRef(new Map<number, string>());
  const follow = useCallback(
    (index: number) => {
      const before = readAt.current.get(index) ?? version;
      readAt.current.set(index, version);
      if (before === version) return;
      // Without a connection the page stays as it was, and is read when there is another change.
      refresh(index).catch(() => readAt.current.set(index, before));
    },
    [refresh, version],
  );

  // What is read for the first time is as fresh as the version that was known then.
  const pages = list.data?.pages.length ?? 0;
  useEffect(() => {
    for (let index = 0; index < pages; index += 1) {
      if (!readAt.current.has(index)) readAt.current.set(index, version);
    }
  }, [pages, version]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another query is another list
  useEffect(() => {
    readAt.current.clear();
    setArrived([]);
  }, [queryKey]);
  useEffect(() => {
    for (const index of new Set([0, ...inView.current])) follow(index);
  }, [follow]);

  const latest = useRef(follow);
  latest.current = follow;
  // Always the same function, so that a change doesn't render every page again.
  const onView = useCallback((index: number, visible: boolean) => {
    if (!visible) inView.current.delete(index);
    else {
      inView.current.add(index);
      latest.current(index);
    }
  }, []);

  return { list, refresh, onView, arrived };
}
