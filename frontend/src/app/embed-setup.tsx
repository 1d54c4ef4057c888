import type { EmbedSites } from "@/api/types";
import { EmbedGuide } from "@/features/onboarding/components/embed-guide";
import { ButtonLink } from "@/ui/button";
import { Notice } from "@/ui/notice";

interface EmbedSetupProps {
  restaurantName: string;
  menuUrl: string;
  embedUrl: string;
  sites: EmbedSites;
  /** Whether the restaurant's plan has embedding (DECISIONS X66). */
  isEntitled: boolean;
  dashboardUrl: string;
  upgradeUrl: string;
}

/** How to show the specials on another site. */
export function EmbedSetup({
  isEntitled,
  sites,
  dashboardUrl,
  upgradeUrl,
  ...guide
}: EmbedSetupProps) {
  return (
    <div className="stack mx-auto max-w-[44rem] rhythm-8">
      <div className="stack rhythm-2">
        <h1>Your specials on your own site</h1>
        <p className="text-[length:var(--text-large)] leading-relaxed">
          Link to your menu, or show it inside a page you already have.
        </p>
      </div>
      {!isEntitled && (
        <Notice tone="honey">
          <p>
            <strong>Embedding comes with the Branded plan.</strong> The link to your menu works on
            every plan. The code below shows your specials once you upgrade.
          </p>
          <ButtonLink size="small" className="self-start" href={upgradeUrl}>
            Upgrade to Branded Tier
          </ButtonLink>
        </Notice>
      )}
      <EmbedGuide {...guide} sites={isEntitled ? sites : undefined} />
      <div className="wizard-actions">
        <ButtonLink variant="primary" href={dashboardUrl}>
          Go to your dashboard
        </ButtonLink>
      </div>
    </div>
  );
}
