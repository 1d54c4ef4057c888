import { QueryClient } from "@tanstack/react-query";
import { request } from "./client";

/**
 * The specification's cache defaults: data never goes stale, nothing is fetched again by
 * itself and nothing is retried. The default loader GETs the query key's path.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        queryFn: ({ queryKey, signal }) => request(queryKey.join("/"), { signal }),
        staleTime: Number.POSITIVE_INFINITY,
        refetchInterval: false,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        retry: false,
        networkMode: "always",
      },
      // Without a connection a write fails and says so, rather than waiting to be sent later.
      mutations: { retry: false, networkMode: "always" },
    },
  });
}
