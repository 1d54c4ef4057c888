import { Check } from "lucide-react";
import { type ReactNode, useId, useState } from "react";

interface SetupSectionProps {
  /** Its number among the steps; not set outside of a setup. */
  number?: number;
  title: string;
  /** What is left to do, or that everything is done. */
  summary?: string;
  complete?: boolean;
  startsOpen?: boolean;
  /** Whether it is open, where the page decides that. */
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  children: ReactNode;
}

/** A section that opens and closes, with its number or a green check. */
export function SetupSection({
  number,
  title,
  summary,
  complete,
  startsOpen = false,
  open: decided,
  onOpenChange,
  children,
}: SetupSectionProps) {
  const id = useId();
  const [own, setOwn] = useState(startsOpen);
  const open = decided ?? own;

  function toggle() {
    setOwn(!open);
    onOpenChange?.(!open);
  }

  return (
    <section className="card section">
      <h2 className="section-head">
        <button type="button" aria-expanded={open} aria-controls={id} onClick={toggle}>
          {number !== undefined && (
            <span className="section-mark" data-done={complete || undefined}>
              {complete ? <Check size="1.125rem" strokeWidth={2.5} aria-hidden="true" /> : number}
            </span>
          )}
          <span className="section-title">
            {title}
            {complete !== undefined && (
              <span className="sr-only">{complete ? "(complete)" : "(not complete yet)"}</span>
            )}
          </span>
        </button>
      </h2>
      {summary && <p className="section-summary">{summary}</p>}
      {/* The content stays mounted while it is closed, so that unsaved text isn't lost. */}
      <div id={id} className="section-body" hidden={!open}>
        {children}
      </div>
    </section>
  );
}
