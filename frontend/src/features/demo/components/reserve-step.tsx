import { seatsStory } from "@/lib/seats-story";
import { Button } from "@/ui/button";
import { Seats } from "@/ui/seats";
import { DemoCard } from "./demo-card";

interface ReserveStepProps {
  minimum: number;
  reserved: number;
  onReserve: () => void;
  onDone: () => void;
}

/** Guests take their seats; the deadline may come at any time. */
export function ReserveStep({ minimum, reserved, onReserve, onDone }: ReserveStepProps) {
  const { state, sentence, note } = seatsStory(reserved, minimum, false);
  const full = reserved >= minimum;
  return (
    <>
      <DemoCard>
        <Seats
          filled={reserved}
          minimum={minimum}
          maximum={null}
          state={state}
          sentence={sentence}
        />
        <p className="small muted" role="status">
          {note}
        </p>
      </DemoCard>
      <div className="wizard-actions">
        <Button
          variant={full ? "secondary" : "primary"}
          size="large"
          onClick={onReserve}
          disabled={full}
        >
          Reserve a seat
        </Button>
        <Button variant={full ? "primary" : "secondary"} size="large" onClick={onDone}>
          Let the deadline pass
        </Button>
      </div>
    </>
  );
}
