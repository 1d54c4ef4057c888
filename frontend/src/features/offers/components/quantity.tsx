import { Minus, Plus } from "lucide-react";
import { Button } from "@/ui/button";

interface QuantityProps {
  name: string;
  value: number;
  /** 0 if the last portion can be removed. */
  least?: number;
  most: number;
  onChange: (value: number) => void;
}

/** How many portions, by two buttons. */
export function Quantity({ name, value, least = 1, most, onChange }: QuantityProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a stepper of two buttons
    <div role="group" aria-label={`Portions of ${name}`} className="stepper items-center">
      <Button aria-label="One fewer" disabled={value <= least} onClick={() => onChange(value - 1)}>
        <Minus size="1.125rem" strokeWidth={1.5} aria-hidden="true" />
      </Button>
      <output className="min-w-10 text-center font-semibold tabular-nums" aria-live="polite">
        {value}
      </output>
      <Button aria-label="One more" disabled={value >= most} onClick={() => onChange(value + 1)}>
        <Plus size="1.125rem" strokeWidth={1.5} aria-hidden="true" />
      </Button>
      <span className="small muted">{value === 1 ? "portion" : "portions"}</span>
    </div>
  );
}
