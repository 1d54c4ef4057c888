import type { ExpirationStats, SchedulerStatus } from "@/api/types";
import { Notice } from "@/ui/notice";
import { useStats } from "../api/expirations";
import { ManualRun } from "./manual-run";
import { Scheduler } from "./scheduler";

interface ExpirationProps {
  stats: ExpirationStats;
  scheduler: SchedulerStatus;
  intervalMinutes: number;
}

/** The figures, the scheduler, and a run by hand. What waits is below it, in the page itself. */
export function Expiration({ stats: initial, scheduler, intervalMinutes }: ExpirationProps) {
  const stats = useStats(initial);
  const figures = [
    ["Active specials", stats.data.activeSpecials],
    ["Expiring within 24 hours", stats.data.expiringSoon],
    ["Expired", stats.data.expired],
    ["Pending orders", stats.data.totalPendingOrders],
  ] as const;
  return (
    <div className="stack rhythm-6">
      <dl className="grid grid-cols-2 gap-3 md:grid-cols-4">
        {figures.map(([label, figure]) => (
          <div key={label} className="card">
            <div className="card-body flex flex-col-reverse">
              <dt className="small muted">{label}</dt>
              <dd className="m-0 text-2xl font-semibold tabular-nums">{figure}</dd>
            </div>
          </div>
        ))}
      </dl>
      {stats.isError && (
        <Notice tone="honey">
          <p>These figures couldn't be updated. We'll try again in half a minute.</p>
        </Notice>
      )}
      <div className="grid gap-4 md:grid-cols-2">
        <Scheduler initial={scheduler} intervalMinutes={intervalMinutes} />
        <ManualRun />
      </div>
    </div>
  );
}
