import { type ReactNode, useState } from "react";
import type { UseFormRegisterReturn } from "react-hook-form";
import { TextArea, TextInput } from "./inputs";

interface SpanishFieldsProps {
  name: UseFormRegisterReturn;
  description: UseFormRegisterReturn;
  /** Whether there is a text already: then the fields are open. */
  isUsed: boolean;
  /** The longest name the form takes, in characters. */
  maxName: number;
  children?: ReactNode;
}

/** Fields for texts in Spanish, collapsed until someone opens them. */
export function SpanishFold({ isUsed, children }: Pick<SpanishFieldsProps, "isUsed" | "children">) {
  const [open, setOpen] = useState(isUsed);
  return (
    <details
      className="fold fold-framed"
      open={open}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>
        <span>
          {isUsed ? "In Spanish" : "Add Spanish"}
          <span className="small muted block font-normal">
            For guests who read your pages and emails in Spanish
          </span>
        </span>
      </summary>
      {open && <div className="stack rhythm-5">{children}</div>}
    </details>
  );
}

/** A dish's texts in Spanish. */
export function SpanishFields(props: SpanishFieldsProps) {
  const { name, description, isUsed, maxName, children } = props;
  return (
    <SpanishFold isUsed={isUsed}>
      <TextInput
        lang="es"
        label="Name in Spanish"
        optional
        autoComplete="off"
        maxLength={maxName}
        hint="If it's empty, guests see the name above"
        {...name}
      />
      <TextArea
        lang="es"
        label="Description in Spanish"
        optional
        rows={2}
        maxLength={2000}
        {...description}
      />
      {children}
    </SpanishFold>
  );
}
