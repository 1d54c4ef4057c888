import { type FormEvent, type ReactNode, useState } from "react";
import type { Profile } from "@/api/types";
import { sentenceFor } from "@/lib/server-errors";
import { Button } from "@/ui/button";
import { DateInput } from "@/ui/inputs";
import { showSuccess } from "@/ui/toaster";
import { useSaveOpeningDay } from "../api/save-opening-day";

const FAILED = "The day wasn't saved. Try again.";

/** The day the restaurant plans to take orders, for as long as guests can't order. */
export function OpeningDay({ profile }: { profile: Profile }) {
  const [day, setDay] = useState(profile.openingDay ?? "");
  const [problem, setProblem] = useState<ReactNode>("");
  const save = useSaveOpeningDay();

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    setProblem("");
    try {
      await save.mutateAsync(day);
      showSuccess(day ? "Day saved. Guests read it now." : "Day removed.");
    } catch (failure) {
      setProblem(sentenceFor(failure, FAILED));
    }
  }

  return (
    <form className="stack rhythm-3" noValidate onSubmit={(event) => void submit(event)}>
      <DateInput
        label="When do you plan to take pre-orders?"
        hint="Guests read this day on your specials until they can order."
        optional
        value={day}
        error={problem}
        onChange={({ target }) => setDay(target.value)}
      />
      <Button
        type="submit"
        size="small"
        className="self-start"
        busy={save.isPending}
        disabled={day === (profile.openingDay ?? "")}
      >
        Save day
      </Button>
    </form>
  );
}
