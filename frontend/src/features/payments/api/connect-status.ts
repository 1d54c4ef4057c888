import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { request } from "@/api/client";
import type { ConnectStatus } from "@/api/types";

const PATH = "/api/connect-status";
const key = [PATH];

/**
 * The payment account, as the page brought it; read again whenever the tab becomes visible:
 * its owner comes back from the processor's pages.
 */
export function useConnectStatus(initial?: ConnectStatus) {
  return useQuery<ConnectStatus>({
    queryKey: key,
    initialData: initial,
    refetchOnWindowFocus: "always",
  });
}

/** Asks the processor itself, however fresh what we know is, and shows what it says. */
export function useReadAfresh() {
  const queries = useQueryClient();
  return useCallback(async () => {
    const status = await request<ConnectStatus>(`${PATH}?refresh=1`);
    queries.setQueryData(key, status);
    return status;
  }, [queries]);
}
