import type { ConnectStatus } from "@/api/types";
import { Notice } from "@/ui/notice";
import type { Processor } from "../hooks/use-processor";
import { SetupAction } from "./setup-action";

interface PaymentBannerProps {
  status: ConnectStatus;
  processor: Processor;
  /** The page about the whole payment account. */
  url: string;
}

/** What is missing of the payment account and the button that fixes it (DECISIONS X68). */
export function PaymentBanner({ status, processor, url }: PaymentBannerProps) {
  const { setup } = status;
  if (setup.state === "complete") return null;
  return (
    <Notice tone={setup.state === "suspended" ? "berry" : "honey"}>
      <p>
        <strong>
          {setup.takesOrders ? "Payouts are not set up yet." : "Pre-orders are not open yet."}
        </strong>{" "}
        {setup.sentence}
        {setup.todo.length > 0 &&
          ` ${setup.todo.length} ${setup.todo.length === 1 ? "detail is" : "details are"} missing.`}
      </p>
      {processor.problem && (
        <p className="error" role="alert">
          {processor.problem}
        </p>
      )}
      <div className="cluster">
        <SetupAction status={status} processor={processor} size="small" />
        {status.connected && (
          <a className="button button-quiet button-small" href={url}>
            Details
          </a>
        )}
      </div>
    </Notice>
  );
}
