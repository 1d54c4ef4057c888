import { PlanCards } from "@/features/plans/components/plan-cards";
import { PlanChange } from "@/features/plans/components/plan-change";
import type { PlanOffer, PlanState } from "@/features/plans/types";
import { ButtonLink } from "@/ui/button";

interface TierSelectionProps {
  tiers: PlanOffer[];
  plan: PlanState;
  processing: string;
  hasSubscription: boolean;
  compareUrl: string;
  dashboardUrl: string;
}

/** Which plan, before its setup. */
export function TierSelection(props: TierSelectionProps) {
  const { tiers, plan, processing, hasSubscription, compareUrl, dashboardUrl } = props;
  return (
    <>
      <header className="site-header">
        <div className="wrap">
          <a className="brand" href="/">
            Fully Booked
          </a>
          <ButtonLink size="small" variant="quiet" className="-mr-2" href={dashboardUrl}>
            Skip for now
          </ButtonLink>
        </div>
      </header>
      <div className="wrap max-w-[60rem]! wizard">
        <div className="stack rhythm-2">
          <h1>Choose your plan</h1>
          <p className="text-[length:var(--text-large)] leading-relaxed">
            {!hasSubscription && "No monthly fee. "}Switch anytime; it applies to specials you
            publish from then on.
          </p>
        </div>
        {plan.next && <PlanChange plan={plan} here={location.pathname} />}
        <PlanCards offers={tiers} plan={plan} />
        <p className="muted">
          {processing} <a href={compareUrl}>See what you keep</a>
        </p>
      </div>
    </>
  );
}
