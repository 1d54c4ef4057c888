import { BackLink } from "./page-head";
import { TierComparison, type TierComparisonProps } from "./tier-comparison";

/** The tiers on a page of their own. */
export function TiersPage({ hubUrl, ...tiers }: TierComparisonProps & { hubUrl: string }) {
  return (
    <div className="stack rhythm-6">
      <BackLink href={hubUrl} />
      <h1>Plans and fees</h1>
      <TierComparison {...tiers} />
      <p className="muted">
        <a href="/tier-selection">Change your plan</a> anytime. The change applies to specials you
        publish from then on, not to ones already published.
      </p>
    </div>
  );
}
