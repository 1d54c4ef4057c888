import { ButtonLink } from "@/ui/button";

/** What the other plan has, for whoever outgrows this one. */
export function UpgradeCard({ upgradeUrl }: { upgradeUrl: string }) {
  return (
    <section className="card" aria-labelledby="more-features">
      <div className="card-body stack [--gap:0.75rem]">
        <h2 id="more-features" className="text-[length:var(--text-title-3)]">
          Want More Features?
        </h2>
        <p className="muted">
          Your own domain, your specials inside your own site, and analytics of what sells. No
          monthly fee: you pay when guests do.
        </p>
        <ButtonLink className="self-start" href={upgradeUrl}>
          Upgrade Now
        </ButtonLink>
      </div>
    </section>
  );
}
