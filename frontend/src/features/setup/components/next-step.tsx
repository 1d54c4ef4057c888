import { useId } from "react";
import type { SetupStep } from "@/api/types";
import { ButtonLink } from "@/ui/button";

/** The next step, above everything else; nothing once everything that guests need is done. */
export function NextStep({ steps }: { steps: readonly SetupStep[] }) {
  const title = useId();
  const needed = steps.filter(({ isNeeded }) => isNeeded);
  const next = needed.find(({ isDone }) => !isDone);
  if (!next) return null;
  return (
    <section className="card" aria-labelledby={title}>
      <div className="card-body stack rhythm-3">
        <p className="eyebrow">
          Step {needed.indexOf(next) + 1} of {needed.length} to your first order
        </p>
        <div>
          <h2 id={title}>{next.title}</h2>
          <p className="muted">{next.text}</p>
        </div>
        <ButtonLink variant="primary" className="self-start max-sm:w-full" href={next.url}>
          {next.title}
        </ButtonLink>
      </div>
    </section>
  );
}

/** What is left of the setup, each with the way to it. */
export function StepsLeft({ steps }: { steps: readonly SetupStep[] }) {
  return (
    <ol className="plan">
      {steps
        .filter(({ isDone }) => !isDone)
        .map(({ key, title, text, url }) => (
          <li key={key}>
            <strong>
              <a href={url}>{title}</a>
            </strong>
            <span className="muted">{text}</span>
          </li>
        ))}
    </ol>
  );
}
