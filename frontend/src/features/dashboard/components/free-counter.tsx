import { Notice } from "@/ui/notice";
import { type FreePlan, freeOffers } from "../lib/free-offers";

interface FreeCounterProps {
  count: number;
  plan: FreePlan;
  upgradeUrl: string;
}

/** Says when the free offers of the month run low; nothing while there are plenty. */
export function FreeCounter({ count, plan, upgradeUrl }: FreeCounterProps) {
  const state = freeOffers(count, plan);
  if (state.kind === "plenty") return null;
  return (
    <Notice tone="honey">
      {state.kind === "warning" ? (
        <p>
          <strong>
            {state.remaining} free {state.remaining === 1 ? "offer" : "offers"} remaining this
            month.
          </strong>{" "}
          After that, further offers carry a {plan.laterShare} platform fee until next month.{" "}
          <a href={upgradeUrl}>Upgrade</a>
        </p>
      ) : (
        <p>
          <strong>You have used your {plan.offersPerMonth} free offers this month.</strong> Further
          offers carry a {plan.laterShare} platform fee until next month.{" "}
          <a href={upgradeUrl}>Upgrade</a>
        </p>
      )}
    </Notice>
  );
}
