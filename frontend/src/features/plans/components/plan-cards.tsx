import { useState } from "react";
import { Badge } from "@/ui/badge";
import { Button } from "@/ui/button";
import { usePlanChoice } from "../hooks/use-plan-choice";
import type { PlanOffer, PlanState } from "../types";
import { DowngradeDialog } from "./downgrade-dialog";

interface PlanCardsProps {
  offers: PlanOffer[];
  plan: PlanState;
}

/** Free or Branded; the choice is saved before its setup opens. */
export function PlanCards({ offers, plan }: PlanCardsProps) {
  const { choose, chosen, problem } = usePlanChoice();
  const [downgrade, setDowngrade] = useState<PlanOffer | null>(null);

  function press(offer: PlanOffer): void {
    if (offer.tier === "free" && plan.downgradeEffects.length > 0) setDowngrade(offer);
    // Also for the present plan: choosing it is a step of the setup.
    else void choose(offer.tier, offer.next, offer.share);
  }

  return (
    <>
      {problem && !downgrade && (
        <p className="error" role="alert">
          {problem}
        </p>
      )}
      <div className="grid gap-4 md:grid-cols-2">
        {offers.map((offer) => {
          const isBranded = offer.tier === "branded";
          return (
            <section
              key={offer.tier}
              className="card choice"
              aria-labelledby={`plan-${offer.tier}`}
            >
              <div className="card-body">
                <div className="stack rhythm-2">
                  <p>
                    {offer.current ? (
                      <Badge tone="herb">Current plan</Badge>
                    ) : (
                      <Badge tone="other">
                        {isBranded ? "Recommended for your own brand" : "Free Tier"}
                      </Badge>
                    )}
                  </p>
                  <h2 id={`plan-${offer.tier}`}>{offer.name}</h2>
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
                  variant={offer.current ? "primary" : "secondary"}
                  size="large"
                  busy={chosen === offer.tier}
                  disabled={chosen !== null && chosen !== offer.tier}
                  onClick={() => press(offer)}
                >
                  {offer.current ? "Continue with" : "Choose"} {offer.name}
                </Button>
              </div>
            </section>
          );
        })}
      </div>
      <DowngradeDialog
        open={downgrade !== null}
        plan={plan}
        busy={chosen !== null}
        problem={problem}
        onConfirm={() => downgrade && void choose("free", downgrade.next, downgrade.share)}
        onClose={() => setDowngrade(null)}
      />
    </>
  );
}
