import { useQuery } from "@tanstack/react-query";
import { request } from "@/api/client";
import type { LogEntry } from "@/api/types";

const EVERY_MS = 5000;

/** The system log, read again every five seconds. */
export const useLogs = (initial: LogEntry[]) =>
  useQuery<LogEntry[]>({
    queryKey: ["/api/logs"],
    queryFn: ({ signal }) => request<LogEntry[]>("/api/logs", { signal }),
    initialData: initial,
    refetchInterval: EVERY_MS,
  });
