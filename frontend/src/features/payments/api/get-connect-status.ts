import { useQuery } from "@tanstack/react-query";
import type { ConnectStatus } from "@/api/types";

export const CONNECT_STATUS_PATH = "/api/connect-status";

/**
 * The payment account as the page rendered it; read again whenever the tab becomes visible, since
 * its owner comes back from the payment provider's pages.
 */
export function useConnectStatus(initial?: ConnectStatus) {
  return useQuery<ConnectStatus>({
    queryKey: [CONNECT_STATUS_PATH],
    initialData: initial,
    refetchOnWindowFocus: "always",
  });
}
