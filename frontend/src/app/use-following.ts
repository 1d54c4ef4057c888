import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { failedPaymentsKey } from "@/features/dashboard/api/get-failed-payments";
import { todayKey } from "@/features/dashboard/api/get-today";
import { type Live, useLive } from "@/lib/use-live";

/**
 * Keeps what the dashboard shows up to date; `initial` is the version that the page was rendered
 * with.
 */
export function useFollowing(initial = ""): Live {
  const live = useLive(initial);
  const queries = useQueryClient();
  useEffect(() => {
    if (live.version === initial) return;
    for (const queryKey of [
      ["/api/specials/available"],
      ["/api/ledger"],
      todayKey,
      failedPaymentsKey,
    ]) {
      void queries.invalidateQueries({ queryKey });
    }
    // A long list of orders reads only the visible part; the rest is read when it is opened again.
    // An open order is read at once, because its deadline may just have passed.
    void queries.invalidateQueries({ queryKey: ["/api/orders"], refetchType: "none" });
    void queries.refetchQueries({
      queryKey: ["/api/orders"],
      type: "active",
      predicate: ({ queryKey }) => queryKey[1] !== "list",
    });
  }, [live.version, initial, queries]);
  return live;
}
