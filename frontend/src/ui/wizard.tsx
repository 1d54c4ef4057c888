import { Check } from "lucide-react";
import type { ReactNode, RefObject } from "react";
import { ButtonLink } from "./button";

interface WizardProps {
  /** Names the whole for screen readers: 'Set up your restaurant'. */
  label: string;
  steps: { id: string; label: string }[];
  current: string;
  skip?: { label: string; href: string };
  children: ReactNode;
}

/** The frame of a setup wizard: progress, an exit link, and one step at a time. */
export function Wizard({ label, steps, current, skip, children }: WizardProps) {
  const position = steps.findIndex(({ id }) => id === current);
  return (
    <>
      <header className="site-header">
        <div className="wrap">
          <a className="brand" href="/">
            Fully Booked
          </a>
          {skip && (
            <ButtonLink size="small" variant="quiet" className="-mr-2" href={skip.href}>
              {skip.label}
            </ButtonLink>
          )}
        </div>
      </header>
      <div className="wrap wrap-narrow wizard">
        <nav aria-label={label}>
          <ol className="steps">
            {steps.map((step, index) => (
              <li
                key={step.id}
                aria-current={index === position ? "step" : undefined}
                data-done={index < position ? "" : undefined}
              >
                <span className="steps-mark" aria-hidden="true">
                  {index < position ? <Check size="0.875rem" strokeWidth={2.5} /> : index + 1}
                </span>
                <span>
                  {step.label}
                  {index < position && <span className="visually-hidden"> (done)</span>}
                </span>
              </li>
            ))}
          </ol>
        </nav>
        {children}
      </div>
    </>
  );
}

interface StepTitleProps {
  eyebrow?: ReactNode;
  title: ReactNode;
  lead?: ReactNode;
  heading: RefObject<HTMLHeadingElement | null>;
}

/** A step's title; it takes the focus when the step opens. */
export function StepTitle({ eyebrow, title, lead, heading }: StepTitleProps) {
  return (
    <div className="stack rhythm-2">
      {eyebrow && <p className="eyebrow">{eyebrow}</p>}
      <h1 ref={heading} tabIndex={-1} className="step-title">
        {title}
      </h1>
      {lead && <p className="text-[length:var(--text-large)] leading-relaxed">{lead}</p>}
    </div>
  );
}
