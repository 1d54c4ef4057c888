import type { ComponentProps } from "react";
import { currencySign } from "@/lib/money";
import { Field, type FieldTexts } from "./field";

type InputProps = FieldTexts & ComponentProps<"input"> & { "data-autofocus"?: boolean };

/** A line of text; the other inputs are this one with a type. */
export function TextInput({ label, hint, error, optional, id, ...input }: InputProps) {
  return (
    <Field label={label} hint={hint} error={error} optional={optional} id={id}>
      {(control) => <input type="text" className="control" {...control} {...input} />}
    </Field>
  );
}

/** An amount of the page's currency, as the text that was typed. */
export function MoneyInput({ label, hint, error, optional, ...input }: InputProps) {
  return (
    <Field label={label} hint={hint} error={error} optional={optional}>
      {(control) => (
        <div className="affix">
          <span aria-hidden="true">{currencySign()}</span>
          <input
            type="text"
            inputMode="decimal"
            autoComplete="off"
            className="control"
            {...control}
            {...input}
          />
        </div>
      )}
    </Field>
  );
}

/** A whole number. */
export function NumberInput(props: InputProps) {
  return <TextInput type="number" inputMode="numeric" step={1} {...props} />;
}

/** A calendar day without a time. */
export function DateInput(props: InputProps) {
  return <TextInput type="date" {...props} />;
}

/** A day and time on this device's clock. */
export function DateTimeInput(props: InputProps) {
  return <TextInput type="datetime-local" step={60} {...props} />;
}

/** A time of day on the restaurant's clock. */
export function TimeInput(props: InputProps) {
  return <TextInput type="time" step={60} {...props} />;
}

export function TextArea({
  label,
  hint,
  error,
  optional,
  ...area
}: FieldTexts & ComponentProps<"textarea">) {
  return (
    <Field label={label} hint={hint} error={error} optional={optional}>
      {(control) => <textarea className="control" {...control} {...area} />}
    </Field>
  );
}

export function Select({
  label,
  hint,
  error,
  optional,
  ...select
}: FieldTexts & ComponentProps<"select">) {
  return (
    <Field label={label} hint={hint} error={error} optional={optional}>
      {(control) => <select className="control" {...control} {...select} />}
    </Field>
  );
}

export function Checkbox({ label, ...input }: { label: string } & ComponentProps<"input">) {
  return (
    <label className="check">
      <input type="checkbox" {...input} />
      <span>{label}</span>
    </label>
  );
}
