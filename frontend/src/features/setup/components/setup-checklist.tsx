import { Check, X } from "lucide-react";
import { type ReactNode, useId, useRef, useState } from "react";
import type { Completion } from "@/api/types";
import { Button, ButtonLink } from "@/ui/button";
import { Notice } from "@/ui/notice";
import { useCompletion } from "../api/get-completion";
import { dismiss, isDismissed } from "../lib/dismissal";
import { STEPS, setupProgress, stepsOf } from "../lib/progress";

export interface PaymentStep {
  /**
   * Whether the payment account can take charges and be paid out; undefined while that isn't known.
   */
  complete: boolean | undefined;
  /** The button's words, '' where there is nothing to press. */
  label: string;
  /** How far the setup is, where there is nothing to press. */
  sentence: string;
  busy: boolean;
  problem: ReactNode;
  start: () => void;
}

interface SetupChecklistProps {
  restaurantId: string;
  initial?: Completion;
  payment: PaymentStep;
  settingsUrl: string;
}

/**
 * What is left of the setup. Hidden once it was put away or all of it is done; who sees
 * the last step being done may put it away themselves.
 */
export function SetupChecklist({
  restaurantId,
  initial,
  payment,
  settingsUrl,
}: SetupChecklistProps) {
  const { data: completion, isError } = useCompletion(initial);
  const [putAway, setPutAway] = useState(() => isDismissed(restaurantId));
  const wasOpen = useRef(false);
  const title = useId();
  if (putAway) return null;
  if (!completion) {
    return isError ? (
      <Notice tone="berry" urgent>
        <p>Unable to load setup status. Please refresh the page.</p>
      </Notice>
    ) : (
      <p role="status" className="muted">
        Loading setup status...
      </p>
    );
  }

  const steps = stepsOf(completion, payment.complete);
  const done = Object.values(steps).filter(Boolean).length;
  const complete = done >= STEPS;
  if (!complete) wasOpen.current = true;
  if (complete && !wasOpen.current) return null;

  return (
    <section className="card" aria-labelledby={title}>
      <div className="card-body stack">
        <div className="flex items-start justify-between gap-3">
          <div>
            <h2 id={title}>{complete ? "You're all set" : "Set up your restaurant"}</h2>
            <p className="muted">
              {done} of {STEPS} steps done
            </p>
          </div>
          {complete && (
            <Button
              size="small"
              variant="quiet"
              onClick={() => {
                dismiss(restaurantId);
                setPutAway(true);
              }}
            >
              <X size="1.125rem" strokeWidth={1.5} aria-hidden="true" />
              Dismiss
            </Button>
          )}
        </div>
        <Progress percent={setupProgress(done)} labelledBy={title} />
        <ol className="checklist">
          <Step
            done={steps.profile}
            number={1}
            title="Restaurant profile"
            text="Add your name, address, and phone so guests can find you."
            action={
              <ButtonLink size="small" href={settingsUrl}>
                Complete profile
              </ButtonLink>
            }
          />
          <Step
            done={steps.marketing}
            number={2}
            title="Marketing and social media"
            text="Add the pages where you announce specials."
            action={
              <ButtonLink size="small" href={`${settingsUrl}?section=marketing`}>
                Add social links
              </ButtonLink>
            }
          />
          <Step
            done={steps.payment}
            number={3}
            title="Payment connect"
            text={
              payment.label
                ? "Connect Stripe to get paid. Guests can pre-order after that."
                : payment.sentence
            }
            problem={payment.problem}
            action={
              payment.label && (
                <Button size="small" busy={payment.busy} onClick={payment.start}>
                  {payment.label}
                </Button>
              )
            }
          />
        </ol>
      </div>
    </section>
  );
}

function Progress({ percent, labelledBy }: { percent: number; labelledBy: string }) {
  return (
    <div
      className="progress"
      role="progressbar"
      aria-labelledby={labelledBy}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuetext={`${percent}%`}
    >
      <span style={{ width: `${percent}%` }} />
    </div>
  );
}

interface StepProps {
  done: boolean;
  number: number;
  title: string;
  text: string;
  problem?: ReactNode;
  action: ReactNode;
}

function Step({ done, number, title, text, problem, action }: StepProps) {
  return (
    <li data-done={done || undefined}>
      <span className="checklist-mark" aria-hidden="true">
        {done ? <Check size="1rem" strokeWidth={2.5} /> : number}
      </span>
      <div className="min-w-0">
        <p className="font-semibold">
          {title}
          <span className="visually-hidden">{done ? ": done" : ": to do"}</span>
        </p>
        {!done && <p className="small muted">{text}</p>}
        {!done && problem && (
          <p className="error" role="alert">
            {problem}
          </p>
        )}
      </div>
      {!done && action}
    </li>
  );
}
