import { CircleCheck } from "lucide-react";
import type { ConnectStatus } from "@/api/types";
import { Button } from "@/ui/button";
import { Notice } from "@/ui/notice";
import { SkeletonRows } from "@/ui/skeleton";
import { useConnectStatus } from "../api/get-connect-status";
import { useProcessor } from "../hooks/use-processor";
import type { ReturnPath } from "../types";
import { Indicators } from "./indicators";
import { RequirementList } from "./requirement-list";
import { SetupAction } from "./setup-action";
import { SetupHeadline } from "./setup-state";

interface PaymentSetupProps {
  /** The page on which this stands: the payment provider leads back to it. */
  returnTo: ReturnPath;
  /** The status that the page was rendered with; without it the status is fetched. */
  initial?: ConnectStatus;
  /** Having an account counts as connected while the status loads. */
  stripeAccountId?: string | null;
  timeZone?: string;
}

/** The payment setup as a section of another page: its state, and the button to continue. */
export function PaymentSetup({ returnTo, initial, stripeAccountId, timeZone }: PaymentSetupProps) {
  const { data: status, isError, isFetching, refetch } = useConnectStatus(initial);
  const processor = useProcessor(returnTo);

  if (!status) {
    if (isError) {
      return (
        <Notice tone="berry" urgent>
          <p>We couldn't load your payment account.</p>
          <Button
            size="small"
            className="self-start"
            busy={isFetching}
            onClick={() => void refetch()}
          >
            Try again
          </Button>
        </Notice>
      );
    }
    return stripeAccountId ? (
      <p className="status-line text-herb">
        <CircleCheck size="1.125rem" strokeWidth={1.75} aria-hidden="true" />
        <span>Your payment account is connected.</span>
      </p>
    ) : (
      <SkeletonRows rows={1} label="Loading payment setup" />
    );
  }

  const { setup } = status;
  return (
    <div className="stack">
      <SetupHeadline status={status} timeZone={timeZone} />
      {status.connected && setup.state !== "complete" && <Indicators status={status} />}
      <RequirementList title="Stripe still needs" items={setup.todo} />
      {processor.problem && (
        <p className="error" role="alert">
          {processor.problem}
        </p>
      )}
      <div className="cluster">
        <SetupAction
          status={status}
          processor={processor}
          variant={setup.action === "onboarding" ? "primary" : "secondary"}
        />
        {status.connected && (
          <a className="button button-quiet" href="/restaurant/stripe-management">
            Manage payments
          </a>
        )}
      </div>
    </div>
  );
}
