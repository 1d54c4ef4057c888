import type { Problem } from "../hooks/use-offer-form";

interface FormProblemProps {
  problem: Problem | null;
  /** The button to press again after signing in. */
  button: string;
  /** Whether what was typed comes back after this page was left. */
  isSaved: boolean;
}

/**
 * Says beside the button why nothing was sent, that what was typed is still there, and how to go
 * on.
 */
export function FormProblem({ problem, button, isSaved }: FormProblemProps) {
  if (!problem) return null;
  if (!problem.isSignedOut) return <>{problem.sentence} What you entered is still here.</>;
  const here = location.pathname + location.search;
  const target = isSaved ? undefined : "_blank";
  return (
    <span>
      You've been signed out, so nothing was sent. What you entered is still here.{" "}
      <a href={`/login?next=${encodeURIComponent(here)}`} target={target} rel="noreferrer">
        Sign in again{!isSaved && " in a new tab"}
      </a>
      , then press {button}.
    </span>
  );
}
