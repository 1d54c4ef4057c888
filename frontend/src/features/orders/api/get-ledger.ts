import { useInfiniteQuery } from "@tanstack/react-query";
import { request } from "@/api/client";
import type { LedgerByOrder } from "@/api/types";

/** The ledger with one row for each order, the one that changed last first, a page at a time. */
export function useLedger(initial: LedgerByOrder | undefined) {
  return useInfiniteQuery({
    queryKey: ["/api/ledger", "orders"],
    queryFn: ({ pageParam, signal }) =>
      request<LedgerByOrder>(
        pageParam
          ? `/api/ledger/orders?cursor=${encodeURIComponent(pageParam)}`
          : "/api/ledger/orders",
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    initialData: initial && { pages: [initial], pageParams: [null] },
  });
}
