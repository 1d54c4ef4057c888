import { useEffect, useRef } from "react";

/** A field whose stored value isn't the one that the form was opened with. */
export interface Difference {
  name: string;
  label: string;
  theirs: string;
  /**
   * The value typed here; null if only they changed it, in which case the form shows their value.
   */
  mine: string | null;
}

interface EditConflictProps {
  /** What was edited: "this special". */
  what: string;
  /** The button that saves. */
  button: string;
  differences: Difference[];
  /** The fields for which theirs was chosen. */
  taken: ReadonlySet<string>;
  onChoose: (name: string, whose: "mine" | "theirs") => void;
}

/**
 * Shown when someone saved the same thing while this form was open: the differences, and whose to
 * keep.
 */
export function EditConflict({ what, button, differences, taken, onChoose }: EditConflictProps) {
  const notice = useRef<HTMLDivElement>(null);
  // The fields it is about may be far from the button that was pressed.
  useEffect(() => notice.current?.focus(), []);
  const contested = differences.filter(({ mine }) => mine !== null);
  const adopted = differences.filter(({ mine }) => mine === null);
  return (
    <div ref={notice} className="notice notice-honey" role="alert" tabIndex={-1}>
      <div className="stack rhythm-3 grow">
        <p>
          <strong>Someone changed {what} while you had it open.</strong> Your changes aren't saved
          yet. {contested.length > 0 ? "Choose what to keep" : "Check what's new"}, then press{" "}
          {button}.
        </p>
        {contested.map(({ name, label, theirs, mine }) => (
          <fieldset key={name} className="stack rhythm-1.5 min-w-0">
            <legend className="font-semibold">{label}</legend>
            <Choice
              name={name}
              text={`Yours: ${mine}`}
              checked={!taken.has(name)}
              onChoose={() => onChoose(name, "mine")}
            />
            <Choice
              name={name}
              text={`Theirs: ${theirs}`}
              checked={taken.has(name)}
              onChoose={() => onChoose(name, "theirs")}
            />
          </fieldset>
        ))}
        {adopted.length > 0 && (
          <ul className="stack rhythm-1">
            {adopted.map(({ name, label, theirs }) => (
              <li key={name} className="wrap-anywhere">
                {label} is now <strong>{theirs}</strong>
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}

interface ChoiceProps {
  name: string;
  text: string;
  checked: boolean;
  onChoose: () => void;
}

function Choice({ name, text, checked, onChoose }: ChoiceProps) {
  return (
    <label className="check">
      <input type="radio" name={`conflict-${name}`} checked={checked} onChange={onChoose} />
      <span className="min-w-0 wrap-anywhere">{text}</span>
    </label>
  );
}
