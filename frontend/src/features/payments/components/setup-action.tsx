import { ExternalLink } from "lucide-react";
import type { ConnectStatus } from "@/api/types";
import { Button, type ButtonLook } from "@/ui/button";
import type { Processor } from "../hooks/use-processor";

interface SetupActionProps extends ButtonLook {
  status: ConnectStatus;
  processor: Processor;
}

/** The one button that fixes what is missing; nothing where there is nothing to do. */
export function SetupAction({ status, processor, ...look }: SetupActionProps) {
  const { action, actionLabel } = status.setup;
  if (action === "none") return null;
  const leavesForTab = action === "dashboard";
  return (
    <Button
      {...look}
      busy={processor.underWay === action}
      onClick={() => void (leavesForTab ? processor.openDashboard(status) : processor.onboard())}
    >
      {actionLabel}
      {leavesForTab && (
        <>
          <ExternalLink size="1rem" strokeWidth={1.75} aria-hidden="true" />
          <span className="visually-hidden">(opens in a new tab)</span>
        </>
      )}
    </Button>
  );
}
