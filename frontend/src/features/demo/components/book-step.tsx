import { seatsStory } from "@/lib/seats-story";
import { Button } from "@/ui/button";
import { Seats } from "@/ui/seats";
import { DemoCard } from "./demo-card";

interface BookStepProps {
  minimum: number;
  booked: number;
  onBook: () => void;
  onDone: () => void;
}

/** Guests take their seats; the deadline may come at any time. */
export function BookStep({ minimum, booked, onBook, onDone }: BookStepProps) {
  const { state, sentence, note } = seatsStory(booked, minimum, false);
  const full = booked >= minimum;
  return (
    <>
      <DemoCard>
        <Seats filled={booked} minimum={minimum} maximum={null} state={state} sentence={sentence} />
        <p className="small muted" role="status">
          {note}
        </p>
      </DemoCard>
      <div className="wizard-actions">
        <Button
          variant={full ? "secondary" : "primary"}
          size="large"
          onClick={onBook}
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
