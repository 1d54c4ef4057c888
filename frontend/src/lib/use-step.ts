import { useCallback, useEffect, useRef, useState } from "react";

function stepInAddress<Step extends string>(steps: readonly Step[]): Step {
  const requested = new URLSearchParams(location.search).get("step");
  const first = steps[0];
  if (first === undefined) throw new Error("A wizard has at least one step");
  return steps.find((step) => step === requested) ?? first;
}

/**
 * Which step of a wizard is open, saved in `?step=` so that the browser's back button goes one step
 * back. `heading` goes on the step's title: it gets the focus whenever the step changes.
 */
export function useStep<Step extends string>(steps: readonly Step[]) {
  const [step, setStep] = useState(() => stepInAddress(steps));
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = useRef(step);

  useEffect(() => {
    const follow = () => setStep(stepInAddress(steps));
    window.addEventListener("popstate", follow);
    return () => window.removeEventListener("popstate", follow);
  }, [steps]);

  useEffect(() => {
    if (shown.current === step) return;
    shown.current = step;
    window.scrollTo(0, 0);
    heading.current?.focus();
  }, [step]);

  const goTo = useCallback((next: Step) => {
    const url = new URL(location.href);
    url.searchParams.set("step", next);
    history.pushState(null, "", url);
    setStep(next);
  }, []);

  return { step, goTo, heading };
}
