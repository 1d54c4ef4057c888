import { type ReactNode, useState } from "react";
import type { RescueInput, RescueOptions, Special } from "@/api/types";
import { sentenceFor } from "@/lib/server-errors";
import { zonedInput } from "@/lib/times";
import { useSettled } from "@/lib/use-settled";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { DateTimeInput, NumberInput } from "@/ui/inputs";
import { showSuccess } from "@/ui/toaster";
import { useApplyRescue } from "../api/apply-rescue";
import { useRescuePreview } from "../api/preview-rescue";
import { laterBy } from "../lib/until";
import type { RescueAction } from "../types";

const texts: Record<RescueAction, { title: string; confirm: string; done: string }> = {
  lower_minimum: {
    title: "Lower the minimum",
    confirm: "Lower minimum",
    done: "Minimum lowered",
  },
  go_ahead: { title: "Guarantee it", confirm: "Guarantee it", done: "It's guaranteed" },
  restaurant_portions: {
    title: "Restaurant portions",
    confirm: "Save restaurant portions",
    done: "Restaurant portions saved",
  },
  extend: {
    title: "Extend the deadline",
    confirm: "Extend deadline",
    done: "Deadline extended",
  },
};

interface RescueDialogProps {
  action: RescueAction;
  options: RescueOptions;
  special: Special;
  timeZone: string;
  asOf: number;
  onClose: () => void;
}

/** What can't be undone, before it is done. */
function restaurantPortionsHint(toKeep: number): string {
  if (toKeep > 0) return `You can't go below ${toKeep} anymore, because guests count on them.`;
  return (
    "If the minimum needs them, you can't take them back in the last day before the deadline, or " +
    "once a card was charged early because of them."
  );
}

/** The field's initial value: the smallest step that helps. */
function firstValue({ action, options, special, timeZone }: RescueDialogProps): string {
  switch (action) {
    case "lower_minimum":
      return String(options.suggestedMinimum ?? options.minimum - 1);
    case "restaurant_portions": {
      const missing = Math.max(0, options.minimum - special.currentPreorders);
      const total = options.restaurantPortions + missing;
      return String(Math.min(total, options.restaurantPortionsLeft ?? total));
    }
    case "extend":
      return zonedInput(
        laterBy(24, special.preorderExpiresAt, options.latestDeadline ?? ""),
        timeZone,
      );
    default:
      return "";
  }
}

/** The typed value as the action it asks for; null while it is empty. */
function inputOf(action: RescueAction, value: string): RescueInput | null {
  if (action === "go_ahead") return { action };
  if (!value) return null;
  switch (action) {
    case "lower_minimum":
      return { action, minimum: Number(value) };
    case "restaurant_portions":
      return { action, portions: Number(value) };
    default:
      // Without an offset: the server reads it on the restaurant's clock.
      return { action, until: value };
  }
}

/** One action: its value, what it would do, and the button that does it. */
export function RescueDialog(props: RescueDialogProps) {
  const { action, options, special, timeZone, asOf, onClose } = props;
  const [value, setValue] = useState(() => firstValue(props));
  const settled = useSettled(value);
  const [problem, setProblem] = useState<ReactNode>(null);
  const rescue = useApplyRescue(special.id);

  const trial = useRescuePreview(special.id, inputOf(action, settled), asOf);
  const refusal = trial.error
    ? sentenceFor(trial.error, "We couldn't preview the result. Try again.")
    : undefined;
  const { title, confirm, done } = texts[action];
  const field = {
    value,
    error: value === settled ? refusal : undefined,
    "data-autofocus": true,
    onChange: (event: { target: { value: string } }) => setValue(event.target.value),
  };

  async function carryOut() {
    const input = inputOf(action, value);
    if (!input) return;
    setProblem(null);
    try {
      await rescue.mutateAsync(input);
      showSuccess(done);
      onClose();
    } catch (failure) {
      setProblem(sentenceFor(failure, "We couldn't save that. Try again."));
    }
  }

  return (
    <Dialog
      open
      onClose={onClose}
      locked={rescue.isPending}
      title={title}
      description={special.name}
      problem={problem}
      footer={
        <>
          <Button variant="quiet" onClick={onClose} disabled={rescue.isPending}>
            Cancel
          </Button>
          <Button
            variant="primary"
            type="submit"
            form="rescue"
            busy={rescue.isPending}
            disabled={Boolean(refusal) || (action !== "go_ahead" && !value)}
          >
            {confirm}
          </Button>
        </>
      }
    >
      <form
        id="rescue"
        noValidate
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (!rescue.isPending) void carryOut();
        }}
      >
        {action === "lower_minimum" && (
          <NumberInput label="New minimum" min={1} max={options.minimum - 1} {...field} />
        )}
        {action === "restaurant_portions" && (
          <NumberInput
            label="Total restaurant portions"
            min={options.restaurantPortionsToKeep}
            max={options.restaurantPortionsLeft ?? undefined}
            hint={restaurantPortionsHint(options.restaurantPortionsToKeep)}
            {...field}
          />
        )}
        {action === "extend" && (
          <DateTimeInput
            label="New deadline"
            min={zonedInput(special.preorderExpiresAt, timeZone)}
            max={options.latestDeadline ? zonedInput(options.latestDeadline, timeZone) : undefined}
            hint="In your restaurant's time zone."
            {...field}
          />
        )}
        {action === "go_ahead" && refusal && <p className="error">{refusal}</p>}
        <p role="status" className="rounded-lg bg-sunken p-3 empty:hidden">
          {!refusal && trial.data?.sentence}
        </p>
      </form>
    </Dialog>
  );
}
