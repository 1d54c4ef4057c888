import { useState } from "react";
import { Button } from "@/ui/button";
import { Notice } from "@/ui/notice";
import { usePlanChoice } from "../hooks/use-plan-choice";
import type { PlanState } from "../types";
import { DowngradeDialog } from "./downgrade-dialog";

interface PlanChangeProps {
  plan: PlanState;
  /** The page itself, which is opened again after the change. */
  here: string;
}

/**
 * The scheduled change, and the button to cancel it; otherwise the button to change to the Free
 * plan.
 */
export function PlanChange({ plan, here }: PlanChangeProps) {
  const { choose, chosen, problem } = usePlanChoice();
  const [asking, setAsking] = useState(false);
  if (plan.next) {
    return (
      <Notice tone="honey">
        <p>
          <strong>
            You'll change to the {plan.next.name} plan on {plan.next.day}.
          </strong>{" "}
          Until then you keep everything the {plan.name} plan includes.
        </p>
        <Button
          size="small"
          className="self-start"
          busy={chosen !== null}
          onClick={() => void choose(plan.tier, here)}
        >
          Stay on {plan.name}
        </Button>
        {problem && (
          <p className="error" role="alert">
            {problem}
          </p>
        )}
      </Notice>
    );
  }
  if (plan.downgradeEffects.length === 0) return null;
  return (
    <>
      <p>
        <Button variant="quiet" size="small" className="-ml-2" onClick={() => setAsking(true)}>
          Change to the Free plan
        </Button>
      </p>
      <DowngradeDialog
        open={asking}
        plan={plan}
        busy={chosen !== null}
        problem={problem}
        onConfirm={() => void choose("free", here)}
        onClose={() => setAsking(false)}
      />
    </>
  );
}
