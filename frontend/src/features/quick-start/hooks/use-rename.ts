import { type ReactNode, useState } from "react";
import { useRenameRestaurant } from "@/api/rename-restaurant";
import { sentenceFor } from "@/lib/server-errors";

/** The restaurant's name, saved when the field is left. `onSaved` hears the new one. */
export function useRename(start: string, onSaved: (name: string) => void) {
  const [typed, setTyped] = useState(start);
  const [saved, setSaved] = useState(start);
  const [savedAt, setSavedAt] = useState<Date | null>(null);
  const [problem, setProblem] = useState<ReactNode>("");
  const save = useRenameRestaurant();

  async function leave() {
    const name = typed.trim();
    if (name === saved) return setProblem("");
    if (!name) return setProblem("Restaurant name is required");
    setProblem("");
    try {
      await save.mutateAsync(name);
      setSaved(name);
      setSavedAt(new Date());
      onSaved(name);
    } catch (failure) {
      setProblem(sentenceFor(failure, "We couldn't save the name. Leave the field to try again."));
    }
  }

  return { typed, setTyped, leave, problem, savedAt, saving: save.isPending };
}
