import { useQuery } from "@tanstack/react-query";
import type { Ledger } from "@/api/types";

const FOLLOW_EVERY = 30_000;

/** What was charged, kept and paid out. */
export function useLedger(initial: Ledger | undefined) {
  return useQuery<Ledger>({
    queryKey: ["/api/ledger"],
    initialData: initial,
    refetchInterval: FOLLOW_EVERY,
  });
}
