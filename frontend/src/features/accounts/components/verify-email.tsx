import { CircleCheck, LoaderCircle, MailWarning } from "lucide-react";
import { useEffect, useState } from "react";
import { ApiError, NetworkError } from "@/api/client";
import type { FormGuard } from "@/lib/bot-check";
import { ButtonLink } from "@/ui/button";
import { showError } from "@/ui/toaster";
import { verifyEmail } from "../api/verify-email";
import { ResendConfirmation } from "./resend-confirmation";

/** How long the success message stays before the next page opens. */
const REDIRECT = 1500;

interface VerifyEmailProps extends FormGuard {
  email: string;
  token: string;
  /** Where a confirmed owner goes on. */
  next: string;
}

type State =
  | { kind: "verifying" }
  /** Without a session the account was there before, and its owner signs in as always. */
  | { kind: "success"; signedIn: boolean }
  | { kind: "error"; title: string; text: string };

const INVALID = "Invalid Confirmation Link";

function problemOf(failure: unknown): { title: string; text: string } {
  if (failure instanceof NetworkError) {
    return { title: "Something went wrong", text: failure.message };
  }
  if (failure instanceof ApiError && failure.status < 500) {
    const text =
      "This link doesn't work. It's older than 24 hours, already used, or incomplete. Get a new one below.";
    return failure.status === 400
      ? { title: INVALID, text }
      : { title: "Verification failed", text: failure.sentence ?? text };
  }
  return {
    title: "Something went wrong",
    text: "We couldn't confirm your email. Try the link again in a minute, or get a new one below.",
  };
}

/** Verifying, then on to the setup, or what is wrong and how to get a new link. */
export function VerifyEmail({ email, token, next, ...guard }: VerifyEmailProps) {
  const [state, setState] = useState<State>({ kind: "verifying" });

  useEffect(() => {
    let gone = false;
    if (!email || !token) {
      setState({
        kind: "error",
        title: INVALID,
        text: "Part of the link is missing. Open it from the email again, or get a new one below.",
      });
      return;
    }
    verifyEmail(email, token).then(
      (confirmed) => !gone && setState({ kind: "success", signedIn: confirmed.signedIn }),
      (failure: unknown) => {
        if (gone) return;
        const problem = problemOf(failure);
        setState({ kind: "error", ...problem });
        showError(problem.title, problem.text);
      },
    );
    return () => {
      gone = true;
    };
  }, [email, token]);

  const signedIn = state.kind === "success" && state.signedIn;
  const destination = signedIn ? next : "/login";

  useEffect(() => {
    if (state.kind !== "success") return;
    const timer = setTimeout(() => location.replace(destination), REDIRECT);
    return () => clearTimeout(timer);
  }, [state.kind, destination]);

  if (state.kind === "error") {
    return (
      <div className="stack rhythm-5">
        <MailWarning className="text-berry" size="2.5rem" strokeWidth={1.5} aria-hidden="true" />
        <div className="stack rhythm-2" role="alert">
          <h1>{state.title}</h1>
          <p>{state.text}</p>
        </div>
        <ResendConfirmation email={email} guard={guard} />
        <p className="auth-foot">
          <a href="/">Back to home</a>
        </p>
      </div>
    );
  }
  const done = state.kind === "success";
  return (
    <div className="stack rhythm-5" role="status">
      {done ? (
        <CircleCheck className="text-herb" size="2.5rem" strokeWidth={1.5} aria-hidden="true" />
      ) : (
        <LoaderCircle
          className="turning muted"
          size="2.5rem"
          strokeWidth={1.5}
          aria-hidden="true"
        />
      )}
      <h1>{done ? "Your email is confirmed" : "Verifying your email…"}</h1>
      <p>
        {done
          ? signedIn
            ? "You're signed in. Opening your restaurant setup…"
            : "Sign in to continue."
          : `Checking the link we sent to ${email}.`}
      </p>
      {done && (
        <ButtonLink variant="primary" size="large" className="self-start" href={destination}>
          {signedIn ? "Continue" : "Sign in"}
        </ButtonLink>
      )}
    </div>
  );
}
