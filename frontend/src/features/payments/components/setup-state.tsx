import type { ConnectStatus } from "@/api/types";
import { formatMoment } from "@/lib/times";
import { Badge, type BadgeTone } from "@/ui/badge";

const tones: Record<ConnectStatus["setup"]["state"], BadgeTone> = {
  not_connected: "honey",
  in_progress: "honey",
  in_review: "honey",
  suspended: "berry",
  unavailable: "berry",
  complete: "herb",
};

/** The state of the setup: its label in color, then what it means. */
export function SetupHeadline({ status, timeZone }: { status: ConnectStatus; timeZone?: string }) {
  const { setup, isCurrent, syncedAt } = status;
  return (
    <>
      <p>
        <Badge tone={tones[setup.state]}>{setup.headline}</Badge>
      </p>
      <p>{setup.sentence}</p>
      {!isCurrent && syncedAt && (
        <p className="small muted">
          We couldn't reach Stripe. This is the status as of {formatMoment(syncedAt, timeZone)}.
        </p>
      )}
    </>
  );
}
