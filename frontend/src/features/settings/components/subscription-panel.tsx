import { ExternalLink } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { Subscription } from "@/api/types";
import { sentenceFor } from "@/lib/server-errors";
import { formatDay } from "@/lib/times";
import { Badge } from "@/ui/badge";
import { Button } from "@/ui/button";
import { Notice } from "@/ui/notice";
import { SkeletonRows } from "@/ui/skeleton";
import { showError } from "@/ui/toaster";
import { useCancellation } from "../api/cancel-subscription";
import { useSubscription } from "../api/get-subscription";
import { useBillingPortal } from "../api/open-billing-portal";
import { feeText, type TierComparisonProps } from "./tier-comparison";

const NO_PORTAL = "Unable to open billing portal. Please try again.";

const words: Record<string, { label: string; tone: "herb" | "honey" | "berry" }> = {
  active: { label: "Active", tone: "herb" },
  trialing: { label: "Trial", tone: "herb" },
  past_due: { label: "Payment overdue", tone: "berry" },
  unpaid: { label: "Unpaid", tone: "berry" },
  incomplete: { label: "Payment pending", tone: "honey" },
  canceled: { label: "Canceled", tone: "honey" },
};

/** The branded tier's subscription, and the way to its bills. */
export function SubscriptionPanel({ tiers }: { tiers: TierComparisonProps }) {
  const { data: subscription, isError, isFetching, refetch } = useSubscription();
  const portal = useBillingPortal();
  const cancellation = useCancellation();
  const [problem, setProblem] = useState<ReactNode>("");

  async function openPortal() {
    setProblem("");
    // Opened during the press, because browsers block a tab that opens later.
    const tab = window.open("", "_blank");
    try {
      const { portalUrl } = await portal.mutateAsync();
      if (tab) {
        tab.opener = null;
        tab.location.replace(portalUrl);
      } else location.assign(portalUrl);
    } catch (failure) {
      tab?.close();
      const sentence = sentenceFor(failure, NO_PORTAL);
      setProblem(sentence);
      showError(NO_PORTAL, sentence === NO_PORTAL ? undefined : sentence);
    }
  }

  async function change(action: "cancel" | "resume") {
    setProblem("");
    try {
      await cancellation.mutateAsync(action);
    } catch (failure) {
      const sentence = sentenceFor(failure, "We couldn't change your subscription. Try again.");
      setProblem(sentence);
      showError("Subscription Failed", sentence);
    }
  }

  if (isError) {
    return (
      <Notice tone="berry" urgent>
        <p>Unable to load subscription status</p>
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
  if (!subscription) return <SkeletonRows rows={2} label="Loading subscription" />;

  const { label, tone } = words[subscription.status] ?? {
    label: subscription.status,
    tone: "honey",
  };
  return (
    <section className="card" aria-labelledby="subscription">
      <div className="card-body stack">
        <h2 id="subscription">Subscription</h2>
        <dl className="facts sm:grid-cols-3">
          <div>
            <dt>Plan</dt>
            <dd>{subscription.tier === "free" ? "Free" : "Branded"}</dd>
          </div>
          <div>
            <dt>Status</dt>
            <dd>
              <Badge tone={tone}>{label}</Badge>
            </dd>
          </div>
          <div>
            <dt>Current period ends</dt>
            <dd>
              {subscription.currentPeriodEnd
                ? formatDay(subscription.currentPeriodEnd)
                : "None. You pay per order"}
            </dd>
          </div>
        </dl>
        {subscription.payBy && <Unpaid subscription={subscription} />}
        {subscription.price ? (
          <p>{priceText(subscription)}</p>
        ) : (
          <p>{feeText(tiers.fees, tiers.current)}</p>
        )}
        <div className="cluster">
          {subscription.hasStripeCustomer && tiers.current === "branded" && (
            <Button busy={portal.isPending} onClick={() => void openPortal()}>
              <ExternalLink size="1.125rem" strokeWidth={1.5} aria-hidden="true" />
              Manage Billing
              <span className="sr-only"> (opens in a new tab)</span>
            </Button>
          )}
          {subscription.canCancel && (
            <Button
              busy={cancellation.isPending}
              onClick={() => void change(subscription.endsAtPeriodEnd ? "resume" : "cancel")}
            >
              {subscription.endsAtPeriodEnd ? "Resume subscription" : "Cancel subscription"}
            </Button>
          )}
        </div>
        {problem && (
          <p className="error" role="alert">
            {problem}
          </p>
        )}
        <p>
          <a href="/restaurant/tiers">Compare plans and fees</a>
        </p>
      </div>
    </section>
  );
}

/** What it costs, and until when. */
function priceText({ price, endsAtPeriodEnd, currentPeriodEnd, status }: Subscription): string {
  const day = currentPeriodEnd ? formatDay(currentPeriodEnd) : "";
  if (status === "canceled") return `Your subscription of ${price} a month has ended.`;
  if (endsAtPeriodEnd) {
    return `You canceled. Your subscription runs until ${day}, and your card won't be charged again.`;
  }
  return `${price} a month, charged next on ${day}.`;
}

/** A renewal failed: what follows, and what to do. */
function Unpaid({ subscription }: { subscription: Subscription }) {
  return (
    <Notice tone="berry">
      <p>
        {subscription.isLapsed
          ? `We couldn't charge your card ${subscription.price}, so you can't publish new specials. Pay the open bill under Manage Billing, or change to the Free plan.`
          : `We couldn't charge your card ${subscription.price}. Pay the open bill or change your card under Manage Billing by ${formatDay(subscription.payBy ?? "")} to keep publishing specials.`}
      </p>
    </Notice>
  );
}
