import { zodResolver } from "@hookform/resolvers/zod";
import { LoaderCircle } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useForm } from "react-hook-form";
import { ApiError, NetworkError } from "@/api/client";
import { applyServerErrors } from "@/lib/server-errors";
import { clearUser } from "@/lib/stored-session";
import { Button, ButtonLink } from "@/ui/button";
import { Notice } from "@/ui/notice";
import { PasswordInput } from "@/ui/password-input";
import { showError } from "@/ui/toaster";
import { resetPassword } from "../api/reset-password";
import { validateResetToken } from "../api/validate-reset-token";
import { resetSchema } from "../lib/reset-schema";
import { ForgotPasswordForm } from "./forgot-password-form";

/** How long the success message stays before the sign-in page opens. */
const REDIRECT = 1500;

const MISSING = "Invalid or missing reset token";
const EXPIRED = "This reset link is invalid or has expired. Request a new one.";

type Step = "validating" | "valid" | "invalid" | "success";

/** Validating, then a new password or a new link, then on to sign in. */
export function ResetPassword({ token }: { token: string }) {
  const [step, setStep] = useState<Step>(token ? "validating" : "invalid");
  const [reason, setReason] = useState(token ? EXPIRED : MISSING);
  const heading = useRef<HTMLHeadingElement>(null);

  useEffect(() => {
    if (!token) return;
    let gone = false;
    validateResetToken(token).then(
      ({ valid }) => !gone && setStep(valid ? "valid" : "invalid"),
      (failure: unknown) => {
        if (gone) return;
        if (failure instanceof NetworkError) setReason(failure.message);
        setStep("invalid");
      },
    );
    return () => {
      gone = true;
    };
  }, [token]);

  useEffect(() => {
    if (step !== "validating") heading.current?.focus();
    if (step !== "success") return;
    clearUser();
    const timer = setTimeout(() => location.replace("/login"), REDIRECT);
    return () => clearTimeout(timer);
  }, [step]);

  if (step === "validating") {
    return (
      <div className="stack" role="status">
        <LoaderCircle className="turning muted" size="2rem" strokeWidth={1.5} aria-hidden="true" />
        <h1>Checking your link…</h1>
      </div>
    );
  }
  if (step === "success") {
    return (
      <div className="stack rhythm-5">
        <h1 ref={heading} tabIndex={-1} className="step-title">
          Password changed
        </h1>
        <p role="status">You've been signed out on every device. Sign in with your new password.</p>
        <ButtonLink variant="primary" size="large" className="self-start" href="/login">
          Sign in
        </ButtonLink>
      </div>
    );
  }
  if (step === "invalid") {
    return (
      <div className="stack rhythm-5">
        <h1 ref={heading} tabIndex={-1} className="step-title">
          Reset your password
        </h1>
        <Notice tone="berry" urgent>
          <p>{reason}</p>
        </Notice>
        <div className="card">
          <div className="card-body">
            <ForgotPasswordForm />
          </div>
        </div>
        <p className="auth-foot">
          <a href="/login">Back to sign in</a>
        </p>
      </div>
    );
  }
  return (
    <div className="stack rhythm-5">
      <h1 ref={heading} tabIndex={-1} className="step-title">
        Choose a new password
      </h1>
      <NewPasswordForm
        token={token}
        onDone={() => setStep("success")}
        onExpired={() => {
          setReason(EXPIRED);
          setStep("invalid");
        }}
      />
    </div>
  );
}

interface NewPasswordFormProps {
  token: string;
  onDone: () => void;
  onExpired: () => void;
}

function NewPasswordForm({ token, onDone, onExpired }: NewPasswordFormProps) {
  const form = useForm({
    resolver: zodResolver(resetSchema),
    defaultValues: { password: "", confirmation: "" },
  });
  const [problem, setProblem] = useState<ReactNode>("");
  const { errors, isSubmitting } = form.formState;

  const save = form.handleSubmit(async (values) => {
    setProblem("");
    try {
      await resetPassword(token, values.password);
      onDone();
    } catch (failure) {
      const error = applyServerErrors(failure, values, form.setError, "Failed to reset password");
      showError("Failed to reset password", error.sentence);
      const aboutToken =
        failure instanceof ApiError && failure.errors.some(({ field }) => field === "token");
      if (aboutToken) onExpired();
      else if (error.inForm) setProblem(error.sentence);
    }
  });

  return (
    <form noValidate className="card" onSubmit={save}>
      <div className="card-body stack">
        {problem && (
          <p className="error" role="alert">
            {problem}
          </p>
        )}
        <PasswordInput
          label="New password"
          autoComplete="new-password"
          hint="At least 8 characters."
          error={errors.password?.message}
          {...form.register("password")}
        />
        <PasswordInput
          label="Repeat the new password"
          autoComplete="new-password"
          error={errors.confirmation?.message}
          {...form.register("confirmation")}
        />
        <Button type="submit" variant="primary" size="large" busy={isSubmitting}>
          {isSubmitting ? "Saving…" : "Change password"}
        </Button>
      </div>
    </form>
  );
}
