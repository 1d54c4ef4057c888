import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { request } from "@/api/client";
import { sentenceFor } from "@/lib/server-errors";

/** The restaurant's name, saved when the field is left. `onSaved` hears the new one. */
export function useRename(start: string, onSaved: (name: string) => void) {
  const [typed, setTyped] = useState(start);
  const [kept, setKept] = useState(start);
  const [savedAt, setSavedAt] = useState<Date | null>(null);
  const [problem, setProblem] = useState("");
  const save = useMutation({
    mutationFn: (name: string) =>
      request<unknown>("/api/restaurant", { method: "PUT", body: { name } }),
  });

  async function leave() {
    const name = typed.trim();
    if (name === kept) return setProblem("");
    if (!name) return setProblem("Restaurant name is required");
    setProblem("");
    try {
      await save.mutateAsync(name);
      setKept(name);
      setSavedAt(new Date());
      onSaved(name);
    } catch (failure) {
      setProblem(sentenceFor(failure, "The name was not saved. Leave the field to try again."));
    }
  }

  return { typed, setTyped, leave, problem, savedAt, saving: save.isPending };
}
