import { useId } from "react";
import { Button } from "@/ui/button";
import { Seats } from "@/ui/seats";
import { DemoCard } from "./demo-card";

interface PublishStepProps {
  minimum: number;
  onChange: (minimum: number) => void;
  onDone: () => void;
}

/** Sets the minimum, and shows its seats. */
export function PublishStep({ minimum, onChange, onDone }: PublishStepProps) {
  const id = useId();
  return (
    <>
      <DemoCard>
        <Seats
          filled={0}
          minimum={minimum}
          maximum={null}
          state="open"
          sentence={`${minimum} more and it's on`}
        />
      </DemoCard>
      <div className="field">
        <label htmlFor={id}>Minimum pre-orders: {minimum}</label>
        <input
          id={id}
          type="range"
          min={4}
          max={16}
          value={minimum}
          onChange={(event) => onChange(Number(event.target.value))}
        />
      </div>
      <div className="wizard-actions">
        <Button variant="primary" size="large" onClick={onDone}>
          Publish it
        </Button>
      </div>
    </>
  );
}
