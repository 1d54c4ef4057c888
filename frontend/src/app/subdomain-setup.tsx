import { useEffect, useRef, useState } from "react";
import { SubdomainForm } from "@/features/onboarding/components/subdomain-form";
import type { SetupProps } from "@/features/onboarding/types";
import { Button, ButtonLink } from "@/ui/button";
import { StepTitle } from "@/ui/wizard";

/** The pause before the dashboard opens, after saving or if there was nothing to do. */
const REDIRECT = 1500;

interface SubdomainSetupProps extends SetupProps {
  /** The owner has chosen an address before. */
  isChosen: boolean;
  dashboardUrl: string;
}

/** The web address on a page of its own. */
export function SubdomainSetup({ isChosen, dashboardUrl, ...props }: SubdomainSetupProps) {
  const [saved, setSaved] = useState<string | null>(null);
  const [changing, setChanging] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const leaving = saved !== null || (isChosen && !changing);

  useEffect(() => {
    if (!leaving) return;
    const timer = setTimeout(() => location.assign(dashboardUrl), REDIRECT);
    return () => clearTimeout(timer);
  }, [leaving, dashboardUrl]);

  return (
    <>
      <header className="site-header">
        <div className="wrap">
          <a className="brand" href="/">
            Fully Booked
          </a>
        </div>
      </header>
      <div className="wrap wrap-narrow wizard">
        {leaving ? (
          <>
            <StepTitle
              heading={heading}
              title={saved ? "Your address is saved" : "Your address is already set up"}
            />
            <p role="status">
              Guests find you at <strong>{hostOf(saved ?? props.restaurant.publicUrl)}</strong>.
              Opening your dashboard…
            </p>
            <div className="wizard-actions">
              <ButtonLink variant="primary" href={dashboardUrl}>
                Go to your dashboard
              </ButtonLink>
              {!saved && (
                <Button variant="quiet" onClick={() => setChanging(true)}>
                  Change address
                </Button>
              )}
            </div>
          </>
        ) : (
          <>
            <StepTitle
              heading={heading}
              title="Choose your web address"
              lead="Your specials live here. Keep it short enough for a chalkboard."
            />
            <SubdomainForm
              {...props}
              submitLabel="Save address"
              onSaved={({ publicUrl }) => setSaved(publicUrl)}
            >
              <ButtonLink variant="quiet" href={dashboardUrl}>
                {props.address.isChosen ? "Cancel" : "Skip for now"}
              </ButtonLink>
            </SubdomainForm>
          </>
        )}
      </div>
    </>
  );
}

const hostOf = (url: string) => new URL(url).host;
