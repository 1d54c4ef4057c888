import { useState } from "react";
import type { FieldValues, Path, PathValue, UseFormReturn } from "react-hook-form";
import type { Difference } from "@/ui/edit-conflict";
import { editedMeanwhile, mergeEdits } from "./merge-edits";

interface Options<Values extends FieldValues, Stored> {
  form: UseFormReturn<Values>;
  /** The values that the form was opened with; later ones are ignored. */
  stored: Stored;
  valuesOf: (stored: Stored) => Values;
  label: (name: keyof Values) => string;
  /** A field's value for a person. */
  words: (name: keyof Values, values: Values) => string;
}

interface Conflict<Values> {
  mine: Values;
  theirs: Values;
  differences: Difference[];
}

/**
 * A form for something that others can edit, too. After a save is refused because someone else
 * saved first, the form has their values where nothing was typed, and `differences` to choose from.
 */
export function useEditConflict<Values extends FieldValues, Stored>({
  form,
  stored,
  valuesOf,
  label,
  words,
}: Options<Values, Stored>) {
  const [base, setBase] = useState(stored);
  const [conflict, setConflict] = useState<Conflict<Values> | null>(null);
  const [taken, setTaken] = useState<ReadonlySet<string>>(new Set());

  /**
   * Whether a save failed for that reason; if so, the differences are shown, and the next save can
   * succeed.
   */
  function isConflict(failure: unknown): boolean {
    const current = editedMeanwhile<Stored>(failure);
    if (current === null) return false;
    const mine = form.getValues();
    const theirs = valuesOf(current);
    const { values, adopted, contested } = mergeEdits(valuesOf(base), theirs, mine);
    form.reset(values);
    setBase(current);
    setTaken(new Set());
    const differs = (name: keyof Values, isMine: boolean): Difference => ({
      name: String(name),
      label: label(name),
      theirs: words(name, theirs),
      mine: isMine ? words(name, mine) : null,
    });
    setConflict({
      mine,
      theirs,
      differences: [
        ...contested.map((name) => differs(name, true)),
        ...adopted.map((name) => differs(name, false)),
      ],
    });
    return true;
  }

  function choose(name: string, whose: "mine" | "theirs") {
    if (!conflict) return;
    const field = name as Path<Values>;
    form.setValue(field, conflict[whose][name] as PathValue<Values, Path<Values>>, {
      shouldDirty: true,
    });
    setTaken((before) => {
      const after = new Set(before);
      if (whose === "theirs") after.add(name);
      else after.delete(name);
      return after;
    });
  }

  return { base, differences: conflict?.differences ?? null, taken, choose, isConflict };
}
