import { type ReactNode, useEffect, useId, useState } from "react";
import { sentenceFor } from "@/lib/server-errors";
import { showError, showSuccess } from "@/ui/toaster";

interface SwitchProps {
  label: string;
  hint: string;
  value: boolean;
  onSave: (value: boolean) => Promise<unknown>;
  /** What the toasts say. */
  failed: string;
  done: string;
}

/** Turns at once, and back again when that could not be saved. */
export function Switch({ label, hint, value, onSave, failed, done }: SwitchProps) {
  const id = useId();
  const [on, setOn] = useState(value);
  const [problem, setProblem] = useState<ReactNode>("");
  const [saving, setSaving] = useState(false);

  useEffect(() => setOn(value), [value]);

  async function turn(next: boolean) {
    if (saving) return;
    setOn(next);
    setProblem("");
    setSaving(true);
    try {
      await onSave(next);
      showSuccess(done);
    } catch (failure) {
      setOn(!next);
      const sentence = sentenceFor(failure, "");
      setProblem(
        <span>
          {failed}. {sentence}
        </span>,
      );
      showError(failed, sentence || undefined);
    } finally {
      setSaving(false);
    }
  }

  return (
    <div>
      <label className="switch">
        <input
          type="checkbox"
          role="switch"
          checked={on}
          aria-checked={on}
          aria-describedby={`${id}-hint`}
          onChange={({ target }) => void turn(target.checked)}
        />
        <span>{label}</span>
      </label>
      <p className="hint" id={`${id}-hint`}>
        {hint}
      </p>
      {problem && (
        <p className="error" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}
