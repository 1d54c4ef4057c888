import { ButtonLink } from "@/ui/button";
import { type FreePlan, freeOffers } from "../lib/free-offers";

interface MonthCardProps {
  count: number;
  plan: FreePlan;
  upgradeUrl: string;
}

/** The free plan's month: used, left, and what comes after. */
export function MonthCard({ count, plan, upgradeUrl }: MonthCardProps) {
  const state = freeOffers(count, plan);
  const { offersPerMonth, laterShare } = plan;
  const used = Math.min(count, offersPerMonth);
  const percent = Math.round((100 * used) / offersPerMonth);
  return (
    <section className="card" aria-labelledby="month-title">
      <div className="card-body stack h-full rhythm-3">
        <p className="eyebrow">This month</p>
        <h3 id="month-title">
          {count} of {offersPerMonth} free offers used
        </h3>
        <div
          className="progress"
          data-tone={state.kind === "plenty" ? undefined : "honey"}
          role="progressbar"
          aria-labelledby="month-title"
          aria-valuemin={0}
          aria-valuemax={offersPerMonth}
          aria-valuenow={used}
        >
          <span style={{ width: `${percent}%` }} />
        </div>
        {state.kind === "reached" ? (
          <p>
            <strong>You have used your {offersPerMonth} free offers this month.</strong> Further
            offers carry a {laterShare} platform fee until next month.
          </p>
        ) : (
          <p className={state.kind === "warning" ? undefined : "muted"}>
            {state.kind === "warning" ? (
              <strong>
                {state.remaining} free {state.remaining === 1 ? "offer" : "offers"} remaining this
                month.
              </strong>
            ) : (
              `${state.remaining} free offers remaining.`
            )}{" "}
            After that, further offers carry a {laterShare} platform fee until next month.
          </p>
        )}
        {state.kind !== "plenty" && (
          <ButtonLink size="small" className="mt-auto self-start" href={upgradeUrl}>
            Upgrade
          </ButtonLink>
        )}
      </div>
    </section>
  );
}
