import { ButtonLink } from "@/ui/button";

/** What the other plan offers. */
export function UpgradeCard({ summary, upgradeUrl }: { summary: string; upgradeUrl: string }) {
  return (
    <section className="card" aria-labelledby="more-features">
      <div className="card-body stack rhythm-3">
        <h2 id="more-features" className="text-[length:var(--text-title-3)]">
          Want More Features?
        </h2>
        <p className="muted">{summary} No monthly fee. Switch anytime.</p>
        <ButtonLink className="self-start" href={upgradeUrl}>
          Upgrade Now
        </ButtonLink>
      </div>
    </section>
  );
}
