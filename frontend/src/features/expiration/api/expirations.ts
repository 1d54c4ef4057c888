import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { request } from "@/api/client";
import type { ExpirationStats, ProcessedExpirations, SchedulerStatus } from "@/api/types";

const STATS_EVERY = 30_000;
const SCHEDULER_EVERY = 10_000;
const STATS = ["/api/admin/expiration-stats"];
const SCHEDULER = ["/api/admin/scheduler/status"];

/** The figures, updated while the page is open. */
export function useStats(initialData: ExpirationStats) {
  return useQuery<ExpirationStats>({
    queryKey: STATS,
    initialData,
    refetchInterval: STATS_EVERY,
  });
}

/** Whether the scheduler runs, updated while the page is open. */
export function useScheduler(initialData: SchedulerStatus) {
  return useQuery<SchedulerStatus>({
    queryKey: SCHEDULER,
    initialData,
    refetchInterval: SCHEDULER_EVERY,
  });
}

/** Settles every special past its deadline now. */
export function useProcessing() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () =>
      request<ProcessedExpirations>("/api/admin/process-expirations", { method: "POST" }),
    onSettled: () => client.invalidateQueries({ queryKey: STATS }),
  });
}

export function useStartScheduler() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (intervalMinutes: number) =>
      request<SchedulerStatus>("/api/admin/scheduler/start", {
        method: "POST",
        body: { intervalMinutes },
      }),
    onSuccess: (status) => client.setQueryData(SCHEDULER, status),
  });
}

export function useStopScheduler() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (reason: string) =>
      request<SchedulerStatus>("/api/admin/scheduler/stop", { method: "POST", body: { reason } }),
    onSuccess: (status) => client.setQueryData(SCHEDULER, status),
  });
}
