import { type RefObject, useEffect, useRef } from "react";
import { seatsStory } from "@/lib/seats-story";
import { Button, ButtonLink } from "@/ui/button";
import { Seats } from "@/ui/seats";
import { StepTitle } from "@/ui/wizard";
import { DemoCard } from "./demo-card";

interface DeadlineStepProps {
  heading: RefObject<HTMLHeadingElement | null>;
  minimum: number;
  reserved: number;
  startUrl: string;
  onSeen: () => void;
  onAgain: () => void;
}

/** What the deadline decided, and the way to a restaurant of one's own. */
export function DeadlineStep({
  heading,
  minimum,
  reserved,
  startUrl,
  onSeen,
  onAgain,
}: DeadlineStepProps) {
  const { state, sentence, note } = seatsStory(reserved, minimum, true);
  const seen = useRef(false);

  useEffect(() => {
    if (seen.current) return;
    seen.current = true;
    onSeen();
  }, [onSeen]);

  return (
    <>
      <StepTitle
        heading={heading}
        title={reserved >= minimum ? "Everyone is charged, and you cook" : "No one was charged"}
        lead="That's all there is to it. Try the other ending, or do it for real."
      />
      <DemoCard>
        <Seats
          filled={reserved}
          minimum={minimum}
          maximum={null}
          state={state}
          sentence={sentence}
        />
        <p className="small muted">{note}</p>
      </DemoCard>
      <div className="wizard-actions">
        <ButtonLink variant="primary" size="large" href={startUrl}>
          Get started free
        </ButtonLink>
        <Button size="large" onClick={onAgain}>
          Play again
        </Button>
      </div>
    </>
  );
}
