import { zodResolver } from "@hookform/resolvers/zod";
import { type ReactNode, useState } from "react";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import { ApiError } from "@/api/client";
import { sendConfirmation } from "@/api/send-confirmation";
import { BotCheckProblem, botCheckToken, type FormGuard, prepareBotCheck } from "@/lib/bot-check";
import { isEmail } from "@/lib/email";
import { applyServerErrors } from "@/lib/server-errors";
import { Button } from "@/ui/button";
import { TextInput } from "@/ui/inputs";
import { showError, showSuccess } from "@/ui/toaster";

const schema = z.object({
  email: z.string().check(z.refine(isEmail, "Please enter a valid email address")),
});

/** Asks for a new link. */
export function ResendConfirmation({ email, guard }: { email: string; guard: FormGuard }) {
  const form = useForm({ resolver: zodResolver(schema), defaultValues: { email } });
  const [sent, setSent] = useState("");
  const [problem, setProblem] = useState<ReactNode>("");

  const send = form.handleSubmit(async (values) => {
    setProblem("");
    try {
      const hcaptchaToken = await botCheckToken(guard);
      const address = values.email.trim();
      await sendConfirmation({ email: address, hcaptchaToken, startedAt: guard.startedAt });
      setSent(address);
      showSuccess("Verification email sent");
    } catch (failure) {
      if (failure instanceof BotCheckProblem) {
        setProblem(failure.message);
        showError(failure.title, failure.message);
        return;
      }
      const { sentence, inForm } = applyServerErrors(
        failure,
        values,
        form.setError,
        "We couldn't send the email. Try again in a minute.",
      );
      if (inForm) setProblem(sentence);
      const known = failure instanceof ApiError && failure.status === 409;
      showError(known ? "Email Already Registered" : "Registration Failed", sentence);
    }
  });

  if (sent) {
    return (
      <p role="status" className="font-semibold">
        We sent a new link to {sent}. It works for 24 hours.
      </p>
    );
  }
  return (
    <form noValidate className="card" onSubmit={send} onFocus={() => prepareBotCheck(guard)}>
      <div className="card-body stack">
        <TextInput
          label="Email"
          type="email"
          inputMode="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          error={form.formState.errors.email?.message ?? (problem || undefined)}
          {...form.register("email")}
        />
        <Button type="submit" variant="primary" busy={form.formState.isSubmitting}>
          Resend verification email
        </Button>
      </div>
    </form>
  );
}
