import { Eye, EyeOff } from "lucide-react";
import { type ComponentProps, useState } from "react";
import { Field, type FieldTexts } from "./field";

/** A password that can be shown while it is typed. */
export function PasswordInput({
  label,
  hint,
  error,
  optional,
  ...input
}: FieldTexts & ComponentProps<"input">) {
  const [shown, setShown] = useState(false);
  const Icon = shown ? EyeOff : Eye;
  return (
    <Field label={label} hint={hint} error={error} optional={optional}>
      {(control) => (
        <div className="secret">
          <input
            type={shown ? "text" : "password"}
            className="control"
            autoCapitalize="none"
            spellCheck={false}
            {...control}
            {...input}
          />
          <button
            type="button"
            className="secret-eye"
            aria-label="Show password"
            aria-pressed={shown}
            onClick={() => setShown(!shown)}
          >
            <Icon size="1.25rem" strokeWidth={1.5} aria-hidden="true" />
          </button>
        </div>
      )}
    </Field>
  );
}
