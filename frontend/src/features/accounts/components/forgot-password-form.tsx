import { zodResolver } from "@hookform/resolvers/zod";
import { useState } from "react";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import { wordsFor } from "@/lib/failure-words";
import { Button } from "@/ui/button";
import { TextInput } from "@/ui/inputs";
import { showError } from "@/ui/toaster";
import { forgotPassword } from "../api/forgot-password";
import { forgotPasswordProblem } from "../lib/forgot-password";

const schema = z.object({ email: z.string() }).check(({ value, issues }) => {
  const message = forgotPasswordProblem(value.email);
  if (message) issues.push({ code: "custom", path: ["email"], message, input: value.email });
});

/** Asks for a reset link; the answer is the same whether or not there is an account (DECISIONS X41). */
export function ForgotPasswordForm() {
  const form = useForm({ resolver: zodResolver(schema), defaultValues: { email: "" } });
  const [sent, setSent] = useState("");
  const { errors, isSubmitting } = form.formState;

  const send = form.handleSubmit(async (values) => {
    try {
      setSent((await forgotPassword(values.email.trim())).message);
    } catch (failure) {
      const sentence = wordsFor(failure, "We couldn't send the email. Try again in a minute.");
      form.setError("email", { message: sentence });
      showError("Error", sentence);
    }
  });

  if (sent) return <p role="status">{sent}</p>;
  return (
    <form noValidate className="stack" onSubmit={send}>
      <TextInput
        label="Email"
        type="email"
        inputMode="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        hint="We'll email you a link to choose a new password."
        error={errors.email?.message}
        {...form.register("email")}
      />
      <Button type="submit" variant="primary" busy={isSubmitting}>
        Send reset link
      </Button>
    </form>
  );
}
