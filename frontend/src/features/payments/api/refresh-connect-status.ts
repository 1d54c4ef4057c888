import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { request } from "@/api/client";
import type { ConnectStatus } from "@/api/types";
import { CONNECT_STATUS_PATH } from "./get-connect-status";

/** Asks the payment provider itself, however fresh our copy is, and shows the answer. */
export function useRefreshStatus() {
  const queries = useQueryClient();
  return useCallback(async () => {
    const status = await request<ConnectStatus>(`${CONNECT_STATUS_PATH}?refresh=1`);
    queries.setQueryData([CONNECT_STATUS_PATH], status);
    return status;
  }, [queries]);
}
