import { useState } from "react";
import { useStep } from "@/lib/use-step";
import { StepTitle, Wizard } from "@/ui/wizard";
import { type DemoStep, trackDemo } from "../api/track";
import { BookStep } from "./book-step";
import { DeadlineStep } from "./deadline-step";
import { EmailStep } from "./email-step";
import { PublishStep } from "./publish-step";

const steps = ["email", "publish", "book", "deadline"] as const;
const labels = { email: "You", publish: "Publish", book: "Guests", deadline: "Deadline" };

export interface DemoProps {
  startUrl: string;
}

/** An e-mail, then a special published, filled and decided in a minute. */
export function Demo({ startUrl }: DemoProps) {
  const { step: asked, goTo, heading } = useStep(steps);
  const [email, setEmail] = useState("");
  const [minimum, setMinimum] = useState(8);
  const [booked, setBooked] = useState(0);
  const [done, setDone] = useState<DemoStep[]>([]);
  // Without an address there is nothing to go on with, whatever the page's address says.
  const step = email ? asked : "email";

  function complete(finished: DemoStep) {
    const all = done.includes(finished) ? done : [...done, finished];
    setDone(all);
    // Somebody playing must not wait for our notes, nor hear that one was lost.
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
        <div className="stack [--gap:2rem]">
          <StepTitle
            heading={heading}
            title="Fill a table in one minute"
            lead="Publish a special, let guests book it, let the deadline decide. Nothing is real, no card is asked for."
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
        <div className="stack [--gap:2rem]">
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
              setBooked(0);
              goTo("book");
            }}
          />
        </div>
      )}
      {step === "book" && (
        <div className="stack [--gap:2rem]">
          <StepTitle
            heading={heading}
            title="Now you are the guests"
            lead="Each press is somebody whose card is held. Fill the table, or leave it half empty."
          />
          <BookStep
            minimum={minimum}
            booked={booked}
            onBook={() => setBooked((count) => Math.min(minimum, count + 1))}
            onDone={() => {
              complete("book");
              goTo("deadline");
            }}
          />
        </div>
      )}
      {step === "deadline" && (
        <div className="stack [--gap:2rem]">
          <DeadlineStep
            heading={heading}
            minimum={minimum}
            booked={booked}
            startUrl={startUrl}
            onSeen={() => complete("deadline")}
            onAgain={() => {
              setBooked(0);
              goTo("publish");
            }}
          />
        </div>
      )}
    </Wizard>
  );
}
