import { useQuery } from "@tanstack/react-query";
import type { Ledger } from "@/api/types";

/** What was charged, withheld and paid out. */
export function useLedger(initial: Ledger | undefined) {
  return useQuery<Ledger>({
    queryKey: ["/api/ledger"],
    initialData: initial,
  });
}
