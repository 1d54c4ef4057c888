import type { UseFormRegisterReturn } from "react-hook-form";

interface MarkChoiceProps {
  label: string;
  hint: string;
  /** Values and the words for them. */
  choices: Record<string, string>;
  field: UseFormRegisterReturn;
  error?: string;
}

/** A group of marks to switch on and off. */
export function MarkChoice({ label, hint, choices, field, error }: MarkChoiceProps) {
  const hintId = `${field.name}-hint`;
  return (
    <fieldset className="field" aria-describedby={hintId}>
      <legend className="label small font-semibold">
        {label} <span className="optional">(optional)</span>
      </legend>
      <p className="hint" id={hintId}>
        {hint}
      </p>
      <div className="cluster mt-1 rhythm-1.5">
        {Object.entries(choices).map(([value, word]) => (
          <label
            key={value}
            className="button button-small cursor-pointer font-normal has-checked:border-accent has-checked:bg-accent-soft has-checked:font-semibold has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
          >
            <input type="checkbox" className="size-4" value={value} {...field} />
            {word}
          </label>
        ))}
      </div>
      {error && (
        <p className="error" role="alert">
          {error}
        </p>
      )}
    </fieldset>
  );
}
