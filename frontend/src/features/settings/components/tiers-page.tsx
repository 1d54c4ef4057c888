import { BackLink } from "./page-head";
import { TierComparison, type TierComparisonProps } from "./tier-comparison";

/** The tiers on a page of their own. */
export function TiersPage({ hubUrl, ...tiers }: TierComparisonProps & { hubUrl: string }) {
  return (
    <div className="stack [--gap:1.5rem]">
      <BackLink href={hubUrl} />
      <h1>Tiers and fees</h1>
      <TierComparison {...tiers} />
      <p className="muted">
        <a href="/tier-selection">Change your plan</a> whenever you like: it counts for the offers
        you publish from then on, never for those that are out.
      </p>
    </div>
  );
}
