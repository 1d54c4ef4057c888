import { useState } from "react";
import { useStep } from "@/lib/use-step";
import { StepTitle, Wizard } from "@/ui/wizard";
import { type DemoStep, trackDemo } from "../api/track-demo";
import { DeadlineStep } from "./deadline-step";
import { EmailStep } from "./email-step";
import { PublishStep } from "./publish-step";
import { ReserveStep } from "./reserve-step";

const steps = ["email", "publish", "book", "deadline"] as const;
const labels = { email: "You", publish: "Publish", book: "Guests", deadline: "Deadline" };

interface DemoProps {
  startUrl: string;
}

/** An email, then a special published, filled and decided in a minute. */
export function Demo({ startUrl }: DemoProps) {
  const { step: requestedStep, goTo, heading } = useStep(steps);
  const [email, setEmail] = useState("");
  const [minimum, setMinimum] = useState(8);
  const [reserved, setReserved] = useState(0);
  const [done, setDone] = useState<DemoStep[]>([]);
  // Without an email the demo starts at the first step, whatever the URL says.
  const step = email ? requestedStep : "email";

  function complete(finished: DemoStep) {
    const all = done.includes(finished) ? done : [...done, finished];
    setDone(all);
    // Visitors must not wait for our records, nor be told that one was lost.
    trackDemo(email, all).catch(() => undefined);
  }

  return (
    <Wizard
      label="Demo"
      steps={steps.map((id) => ({ id, label: labels[id] }))}
      current={step}
      skip={{ label: "Leave the demo", href: "/" }}
    >
      {step === "email" && (
        <div className="stack rhythm-8">
          <StepTitle
            heading={heading}
            title="Fill a table in one minute"
            lead="Publish a special, let guests order it, and let the deadline decide. Nothing here is real, and no card is needed."
          />
          <EmailStep
            email={email}
            onDone={(address) => {
              setEmail(address);
              goTo("publish");
            }}
          />
        </div>
      )}
      {step === "publish" && (
        <div className="stack rhythm-8">
          <StepTitle
            heading={heading}
            title="Publish a special"
            lead="How many portions make a tray of lasagne worth cooking?"
          />
          <PublishStep
            minimum={minimum}
            onChange={setMinimum}
            onDone={() => {
              complete("publish");
              setReserved(0);
              goTo("book");
            }}
          />
        </div>
      )}
      {step === "book" && (
        <div className="stack rhythm-8">
          <StepTitle
            heading={heading}
            title="Now you're the guests"
            lead="Each press is one guest with a card on hold. Fill the table, or leave it half empty."
          />
          <ReserveStep
            minimum={minimum}
            reserved={reserved}
            onReserve={() => setReserved((count) => Math.min(minimum, count + 1))}
            onDone={() => {
              complete("book");
              goTo("deadline");
            }}
          />
        </div>
      )}
      {step === "deadline" && (
        <div className="stack rhythm-8">
          <DeadlineStep
            heading={heading}
            minimum={minimum}
            reserved={reserved}
            startUrl={startUrl}
            onSeen={() => complete("deadline")}
            onAgain={() => {
              setReserved(0);
              goTo("publish");
            }}
          />
        </div>
      )}
    </Wizard>
  );
}
