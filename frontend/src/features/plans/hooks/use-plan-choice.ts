import { type ReactNode, useState } from "react";
import { isSignedOut } from "@/api/client";
import { sentenceFor } from "@/lib/server-errors";
import { showError } from "@/ui/toaster";
import { useChoosePlan } from "../api/choose-plan";

const NOT_CHANGED = "We couldn't change your plan. Try again.";

/** Chooses a plan, then opens `next`; says what went wrong otherwise. */
export function usePlanChoice() {
  const [chosen, setChosen] = useState<string | null>(null);
  const [problem, setProblem] = useState<ReactNode>("");
  const request = useChoosePlan();

  async function choose(tier: string, next: string, share?: string): Promise<void> {
    if (chosen) return;
    setProblem("");
    setChosen(tier);
    try {
      await request.mutateAsync({ tier, share });
      location.assign(next);
    } catch (failure) {
      setChosen(null);
      const sentence = sentenceFor(failure, NOT_CHANGED);
      setProblem(sentence);
      showError(isSignedOut(failure) ? "Login Required" : "Upgrade Failed", sentence);
    }
  }

  return { choose, chosen, problem };
}
