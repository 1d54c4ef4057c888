import { type ReactNode, useId, useState } from "react";
import { useRenameRestaurant } from "@/api/rename-restaurant";
import { sentenceFor } from "@/lib/server-errors";
import { Button } from "@/ui/button";
import { showError } from "@/ui/toaster";

interface WelcomeStepProps {
  name: string;
  /** What this setup will do, in order. */
  plan: { title: string; text: string }[];
  onDone: (name: string) => void;
}

/** What will happen, and the name that guests will read. */
export function WelcomeStep({ name, plan, onDone }: WelcomeStepProps) {
  const id = useId();
  const [typed, setTyped] = useState(name);
  const [error, setError] = useState<ReactNode>("");
  const rename = useRenameRestaurant();

  async function next() {
    const newName = typed.trim();
    if (!newName) {
      setError("Restaurant name is required");
      document.getElementById(id)?.focus();
      return;
    }
    setError("");
    if (newName === name) {
      onDone(name);
      return;
    }
    try {
      await rename.mutateAsync(newName);
      onDone(newName);
    } catch (failure) {
      const sentence = sentenceFor(failure, "We couldn't save the name. Try again.");
      setError(sentence);
      showError("Save failed", sentence);
    }
  }

  return (
    <>
      <ol className="plan">
        {plan.map(({ title, text }) => (
          <li key={title}>
            <strong>{title}</strong>
            <span className="muted">{text}</span>
          </li>
        ))}
      </ol>
      <form
        noValidate
        className="stack rhythm-5"
        onSubmit={(event) => {
          event.preventDefault();
          void next();
        }}
      >
        <div className="field">
          <label htmlFor={id}>What's your restaurant called?</label>
          <input
            id={id}
            className="control"
            value={typed}
            maxLength={255}
            autoComplete="organization"
            aria-invalid={error ? true : undefined}
            aria-describedby={error ? `${id}-error` : undefined}
            onChange={(event) => setTyped(event.target.value)}
          />
          {error && (
            <p className="error" id={`${id}-error`} role="alert">
              {error}
            </p>
          )}
        </div>
        <div className="wizard-actions">
          <Button type="submit" variant="primary" size="large" busy={rename.isPending}>
            Continue
          </Button>
        </div>
      </form>
    </>
  );
}
