import { TierCards, type TierOffer } from "@/features/onboarding/components/tier-cards";
import { ButtonLink } from "@/ui/button";

interface TierSelectionProps {
  tiers: TierOffer[];
  processing: string;
  compareUrl: string;
  dashboardUrl: string;
}

/** Which plan, before its setup. */
export function TierSelection({ tiers, processing, compareUrl, dashboardUrl }: TierSelectionProps) {
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
            No monthly fee. Switch anytime; the change applies to specials you publish from then on.
          </p>
        </div>
        <TierCards tiers={tiers} />
        <p className="muted">
          {processing} <a href={compareUrl}>See what you keep</a>
        </p>
      </div>
    </>
  );
}
