import type { ReactNode } from "react";
import { ButtonLink } from "@/ui/button";
import { CopyButton } from "@/ui/copy-button";
import { SetPasswordForm } from "./set-password-form";

interface CompleteStepProps {
  publicUrl: string;
  hasPassword: boolean;
  dashboardUrl: string;
  /** What is left to do, as a list. */
  stepsLeft: ReactNode;
}

/** The new address, a password if the account has none, and the link to the dashboard. */
export function CompleteStep({
  publicUrl,
  hasPassword,
  dashboardUrl,
  stepsLeft,
}: CompleteStepProps) {
  return (
    <>
      <section className="card" aria-labelledby="your-address">
        <div className="card-body stack">
          <h2 id="your-address" className="text-[length:var(--text-title-3)]">
            Your page is live
          </h2>
          <p className="address">
            <a href={publicUrl} target="_blank" rel="noreferrer">
              {publicUrl.replace(/^https?:\/\//, "").replace(/\/$/, "")}
            </a>
          </p>
          <CopyButton size="small" text={publicUrl} label="Copy address" />
        </div>
      </section>
      <section className="stack" aria-labelledby="next">
        <h2 id="next" className="text-[length:var(--text-title-3)]">
          Next steps
        </h2>
        {stepsLeft}
      </section>
      {!hasPassword && (
        <section className="card" aria-labelledby="your-password">
          <div className="card-body stack">
            <div>
              <h2 id="your-password" className="text-[length:var(--text-title-3)]">
                Set a password
              </h2>
              <p className="muted">
                Your email is confirmed. Set a password so you can sign in again.
              </p>
            </div>
            <SetPasswordForm />
          </div>
        </section>
      )}
      <div className="wizard-actions">
        <ButtonLink variant="primary" size="large" href={dashboardUrl}>
          Go to your dashboard
        </ButtonLink>
      </div>
    </>
  );
}
