import { ArrowLeft, RefreshCw } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { ConnectStatus } from "@/api/types";
import { sentenceFor } from "@/lib/server-errors";
import { Button, ButtonLink } from "@/ui/button";
import { Notice } from "@/ui/notice";
import { showError, showSuccess } from "@/ui/toaster";
import { useConnectStatus } from "../api/get-connect-status";
import { useRefreshStatus } from "../api/refresh-connect-status";
import { useConnectReturn } from "../hooks/use-connect-return";
import { type Processor, useProcessor } from "../hooks/use-processor";
import { Indicators } from "./indicators";
import { RequirementList } from "./requirement-list";
import { SetupAction } from "./setup-action";
import { SetupHeadline } from "./setup-state";

interface StripeManagementProps {
  restaurantName: string;
  timeZone: string;
  status: ConnectStatus;
  /** `4.9% + $0.30 per successful transaction`. */
  fee: string;
  feesUrl: string;
  settingsUrl: string;
  payoutsUrl: string;
  /** Why the form's button that led here couldn't go on to Stripe. */
  problem: ReactNode;
}

/** The payment account, what it lacks, and the ways into it. */
export function StripeManagement(props: StripeManagementProps) {
  const { data: status = props.status, refetch } = useConnectStatus(props.status);
  const readAfresh = useRefreshStatus();
  const processor = useProcessor("/restaurant/stripe-management");
  const [refreshing, setRefreshing] = useState(false);
  const [unread, setUnread] = useState<ReactNode>("");
  useConnectReturn();

  async function refresh() {
    setRefreshing(true);
    setUnread("");
    try {
      const { isCurrent } = await readAfresh();
      if (isCurrent) showSuccess("Data refreshed");
      else showError("Connection Error", "Failed to connect to Stripe. Please try again.");
    } catch (failure) {
      const sentence = sentenceFor(failure, "We couldn't load your payment account. Try again.");
      setUnread(sentence);
      showError("Connection Error", sentence);
    } finally {
      setRefreshing(false);
    }
  }

  const problem = processor.problem || unread || props.problem;
  return (
    <div className="stack mx-auto max-w-[48rem] rhythm-6">
      <div className="stack rhythm-3">
        <ButtonLink
          size="small"
          variant="quiet"
          className="-ml-3 self-start"
          href={props.settingsUrl}
        >
          <ArrowLeft size="1.125rem" strokeWidth={1.5} aria-hidden="true" />
          Back to Settings
        </ButtonLink>
        <div className="flex flex-wrap items-end justify-between gap-x-4 gap-y-2">
          <div>
            <p className="eyebrow">{props.restaurantName}</p>
            <h1>Payments</h1>
          </div>
          <Button size="small" busy={refreshing} onClick={() => void refresh()}>
            {!refreshing && <RefreshCw size="1rem" strokeWidth={1.75} aria-hidden="true" />}
            Refresh
          </Button>
        </div>
      </div>
      {problem && (
        <Notice tone="berry" urgent>
          <p>{problem}</p>
        </Notice>
      )}
      {status.connected ? (
        <Connected status={status} processor={processor} timeZone={props.timeZone} />
      ) : (
        <ConnectPrompt status={status} processor={processor} onTab={() => void refetch()} />
      )}
      {status.connected && (
        <section className="card" aria-labelledby="payouts-title">
          <div className="card-body flex flex-wrap items-center justify-between gap-4">
            <div>
              <h2 id="payouts-title">Payouts</h2>
              <p className="muted">What goes to your bank, when, and for which specials.</p>
            </div>
            <ButtonLink href={props.payoutsUrl}>See payouts</ButtonLink>
          </div>
        </section>
      )}
      <section className="card" aria-labelledby="fee-title">
        <div className="card-body stack rhythm-1.5">
          <h2 id="fee-title">Platform fee</h2>
          <p>
            <strong>{props.fee}.</strong> A special that doesn't go ahead costs nothing.
          </p>
          <p className="small muted">
            Your plan's revenue share is charged on top of this.{" "}
            <a href={props.feesUrl}>See what you keep</a>
          </p>
        </div>
      </section>
    </div>
  );
}

interface PartProps {
  status: ConnectStatus;
  processor: Processor;
}

function Connected({ status, processor, timeZone }: PartProps & { timeZone: string }) {
  const { setup, accountId } = status;
  const fixes = setup.action === "onboarding";
  return (
    <>
      <section className="card" aria-labelledby="account-title">
        <div className="card-body stack">
          <h2 id="account-title">Your Stripe account</h2>
          <SetupHeadline status={status} timeZone={timeZone} />
          <Indicators status={status} />
          <RequirementList title="Needed now" items={setup.todo} />
          <RequirementList title="Needed later" items={setup.later} />
          {fixes && (
            <div className="cluster">
              <SetupAction status={status} processor={processor} variant="primary" size="large" />
            </div>
          )}
          <p className="small muted">
            Account <code className="break-all">{accountId}</code>
          </p>
        </div>
      </section>
      <section className="card" aria-labelledby="dashboard-title">
        <div className="card-body flex flex-wrap items-center justify-between gap-4">
          <div>
            <h2 id="dashboard-title">Stripe dashboard</h2>
            <p className="muted">Your balance, payouts, and bank account on Stripe.</p>
          </div>
          <Button
            busy={processor.underWay === "dashboard"}
            onClick={() => void processor.openDashboard(status)}
          >
            Open Stripe Dashboard
            <span className="visually-hidden">(opens in a new tab)</span>
          </Button>
        </div>
      </section>
    </>
  );
}

const needed = [
  "Your bank account or debit card, for payouts",
  "Your tax ID and an identity document",
  "About five minutes",
];

function ConnectPrompt({ status, processor, onTab }: PartProps & { onTab: () => void }) {
  if (status.setup.state === "unavailable") {
    return (
      <section className="card" aria-labelledby="connect-title">
        <div className="card-body stack">
          <h2 id="connect-title">Payments</h2>
          <SetupHeadline status={status} />
        </div>
      </section>
    );
  }
  return (
    <section className="card" aria-labelledby="connect-title">
      <div className="card-body stack">
        <h2 id="connect-title">Connect your Stripe account</h2>
        <SetupHeadline status={status} />
        <ul className="ticks">
          {needed.map((each) => (
            <li key={each}>
              <span>{each}</span>
            </li>
          ))}
        </ul>
        <div className="cluster">
          <SetupAction status={status} processor={processor} variant="primary" size="large" />
          <Button
            variant="quiet"
            busy={processor.underWay === "tab"}
            onClick={() => void processor.onboardInTab().then(onTab)}
          >
            Open it in a new tab
          </Button>
        </div>
      </div>
    </section>
  );
}
