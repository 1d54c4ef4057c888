import { useState } from "react";
import type { SetupStep } from "@/api/types";
import { CompleteStep } from "@/features/onboarding/components/complete-step";
import { EmbedGuide } from "@/features/onboarding/components/embed-guide";
import { SubdomainForm } from "@/features/onboarding/components/subdomain-form";
import { WelcomeStep } from "@/features/onboarding/components/welcome-step";
import type { SetupProps } from "@/features/onboarding/types";
import { StepsLeft } from "@/features/setup/components/next-step";
import { useStep } from "@/lib/use-step";
import { Button } from "@/ui/button";
import { StepTitle, Wizard } from "@/ui/wizard";

type Step = "welcome" | "subdomain" | "embed" | "complete";

const labels: Record<Step, string> = {
  welcome: "Welcome",
  subdomain: "Web address",
  embed: "Your site",
  complete: "Ready",
};
/** The steps of the setup that the wizard itself completes. */
const HERE = new Set<string>(["name", "address", "sign_in"]);
const free: Step[] = ["welcome", "subdomain", "complete"];
const branded: Step[] = ["welcome", "subdomain", "embed", "complete"];

export interface WizardProps extends SetupProps {
  steps: SetupStep[];
  /** With the embed step, for the branded tier; without it, the free one. */
  isBranded: boolean;
  menuUrl: string;
  embedUrl: string;
  dashboardUrl: string;
}

/** Both setup wizards: welcome, web address, for branded the embed code, done. */
export function SetupWizard(props: WizardProps) {
  const { isBranded, account, address, dashboardUrl } = props;
  const steps = isBranded ? branded : free;
  const { step, goTo, heading } = useStep(steps);
  const [isChosen, setChosen] = useState(address.isChosen);
  const [restaurant, setRestaurant] = useState(props.restaurant);
  const [links, setLinks] = useState({ menu: props.menuUrl, embed: props.embedUrl });

  return (
    <Wizard
      label="Setup"
      steps={steps.map((id) => ({ id, label: labels[id] }))}
      current={step}
      skip={step === "complete" ? undefined : { label: "Skip for now", href: dashboardUrl }}
    >
      {step === "welcome" && (
        <div className="stack rhythm-8">
          <StepTitle
            heading={heading}
            title="Let's set up your page"
            lead="It takes two minutes, and you can change everything later."
          />
          <WelcomeStep
            name={restaurant.name}
            plan={planFor(isBranded)}
            onDone={(name) => {
              setRestaurant({ ...restaurant, name });
              goTo("subdomain");
            }}
          />
        </div>
      )}
      {step === "subdomain" && (
        <div className="stack rhythm-8">
          <StepTitle
            heading={heading}
            title="Choose your web address"
            lead="Your specials live here. Keep it short enough for a chalkboard."
          />
          <SubdomainForm
            restaurant={restaurant}
            account={account}
            address={{ ...address, isChosen }}
            submitLabel="Save and continue"
            onSaved={({ subdomain, publicUrl }) => {
              setRestaurant({ ...restaurant, subdomain, publicUrl });
              setChosen(true);
              setLinks(moved(links, publicUrl));
              goTo(isBranded ? "embed" : "complete");
            }}
          >
            <Button variant="quiet" onClick={() => goTo("welcome")}>
              Back
            </Button>
          </SubdomainForm>
        </div>
      )}
      {step === "embed" && (
        <div className="stack rhythm-8">
          <StepTitle
            heading={heading}
            title="Put your specials on your own site"
            lead="Optional. You can come back to this page from Settings."
          />
          <EmbedGuide
            restaurantName={restaurant.name}
            menuUrl={links.menu}
            embedUrl={links.embed}
          />
          <div className="wizard-actions">
            <Button variant="primary" size="large" onClick={() => goTo("complete")}>
              Continue
            </Button>
            <Button variant="quiet" onClick={() => goTo("subdomain")}>
              Back
            </Button>
          </div>
        </div>
      )}
      {step === "complete" && (
        <div className="stack rhythm-8">
          <StepTitle heading={heading} title={`${restaurant.name} is ready`} />
          <CompleteStep
            publicUrl={restaurant.publicUrl}
            hasPassword={account.hasPassword}
            dashboardUrl={dashboardUrl}
            stepsLeft={<StepsLeft steps={props.steps.filter(({ key }) => !HERE.has(key))} />}
          />
        </div>
      )}
    </Wizard>
  );
}

function planFor(isBranded: boolean) {
  const plan = [
    { title: "Your name", text: "The name your guests know." },
    { title: "Your web address", text: "We'll check that it's available." },
  ];
  if (isBranded) {
    plan.push({ title: "Your own site", text: "A few lines to paste, if you have a website." });
  }
  return plan;
}

/** The same pages at the address that was just saved. */
function moved(links: { menu: string; embed: string }, publicUrl: string) {
  const at = (link: string) => new URL(new URL(link).pathname, publicUrl).href;
  return { menu: at(links.menu), embed: at(links.embed) };
}
