import { PlanChange } from "@/features/plans/components/plan-change";
import type { PlanState } from "@/features/plans/types";
import { BackLink } from "@/features/settings/components/page-head";
import {
  TierComparison,
  type TierComparisonProps,
} from "@/features/settings/components/tier-comparison";

interface PlansProps extends TierComparisonProps {
  plan: PlanState;
  hubUrl: string;
}

/** Plans side by side, what they cost, and the change that is scheduled. */
export function Plans({ plan, hubUrl, ...comparison }: PlansProps) {
  return (
    <div className="stack rhythm-6">
      <BackLink href={hubUrl} />
      <h1>Plans and fees</h1>
      {plan.next && <PlanChange plan={plan} here={location.pathname} />}
      <TierComparison {...comparison} />
      <p className="muted">
        An upgrade takes effect right away, a change to the Free plan on the first day of the next
        month. Specials you've published keep the fee they were published with.
      </p>
      {!plan.next && <PlanChange plan={plan} here={location.pathname} />}
    </div>
  );
}
