import { useState } from "react";
import { ApiError } from "@/api/client";
import { sentenceFor } from "@/lib/server-errors";
import { goToSignIn } from "@/lib/sign-in";
import { Badge } from "@/ui/badge";
import { Button } from "@/ui/button";
import { showError } from "@/ui/toaster";
import { type Tier, useUpgradeTier } from "../api/upgrade-tier";

export interface TierOffer {
  tier: Tier;
  name: string;
  /** The name of the plan everywhere else. */
  plan: string;
  /** In a sentence, from the one fee schedule. */
  price: string;
  /** The rate that the contract wants sent along, such as "3.00". */
  share: string;
  points: string[];
  current: boolean;
  next: string;
}

interface TierCardsProps {
  tiers: TierOffer[];
}

/** Free or branded; the choice is saved before its setup opens. */
export function TierCards({ tiers }: TierCardsProps) {
  const [chosen, setChosen] = useState<Tier | null>(null);
  const [problem, setProblem] = useState("");
  const upgrade = useUpgradeTier();

  async function choose({ tier, share, next }: TierOffer) {
    if (chosen) return;
    setProblem("");
    setChosen(tier);
    try {
      // Also for the present plan: choosing it is a step of the setup.
      await upgrade.mutateAsync({ tier, share });
      location.assign(next);
    } catch (failure) {
      setChosen(null);
      if (failure instanceof ApiError && failure.status === 401) {
        showError("Login Required", "Sign in to change your plan.");
        goToSignIn();
        return;
      }
      const sentence = sentenceFor(failure, "We couldn't change your plan. Try again.");
      setProblem(sentence);
      showError("Upgrade Failed", sentence);
    }
  }

  return (
    <>
      {problem && (
        <p className="error" role="alert">
          {problem}
        </p>
      )}
      <div className="grid gap-4 md:grid-cols-2">
        {tiers.map((offer) => {
          const recommended = offer.tier === "branded";
          return (
            <section
              key={offer.tier}
              className="card choice"
              data-recommended={recommended ? "" : undefined}
              aria-labelledby={`tier-${offer.tier}`}
            >
              <div className="card-body">
                <div className="stack rhythm-2">
                  <p>
                    {offer.current ? (
                      <Badge tone="herb">Current plan</Badge>
                    ) : (
                      <Badge tone="other">{recommended ? "Recommended" : "Free Tier"}</Badge>
                    )}
                  </p>
                  <h2 id={`tier-${offer.tier}`}>
                    {offer.name} <span className="small muted">{offer.plan}</span>
                  </h2>
                  <p className="font-semibold">{offer.price}</p>
                </div>
                <ul className="choice-list">
                  {offer.points.map((point) => (
                    <li key={point}>
                      <span>{point}</span>
                    </li>
                  ))}
                </ul>
                <Button
                  variant={recommended ? "primary" : "secondary"}
                  size="large"
                  busy={chosen === offer.tier}
                  disabled={chosen !== null && chosen !== offer.tier}
                  onClick={() => void choose(offer)}
                >
                  {offer.current ? "Continue with" : "Choose"} {offer.name}
                </Button>
              </div>
            </section>
          );
        })}
      </div>
    </>
  );
}
