import { zodResolver } from "@hookform/resolvers/zod";
import { type ReactNode, useState } from "react";
import { useForm } from "react-hook-form";
import { applyServerErrors } from "@/lib/server-errors";
import { Button } from "@/ui/button";
import { PasswordInput } from "@/ui/password-input";
import { showError, showSuccess } from "@/ui/toaster";
import { useSetPassword } from "../api/set-password";
import { passwordProblem, setPasswordSchema } from "../lib/password";

interface SetPasswordFormProps {
  submitLabel?: string;
  onSet?: () => void;
}

/** A password for an account that was made by confirming an email. */
export function SetPasswordForm({ submitLabel = "Set password", onSet }: SetPasswordFormProps) {
  const form = useForm({
    resolver: zodResolver(setPasswordSchema),
    defaultValues: { password: "" },
  });
  const set = useSetPassword();
  const [done, setDone] = useState(false);
  const [problem, setProblem] = useState<ReactNode>("");

  const save = form.handleSubmit(
    async (values) => {
      setProblem("");
      try {
        await set.mutateAsync(values.password);
        setDone(true);
        onSet?.();
        showSuccess("Password Updated");
      } catch (failure) {
        const { sentence, inForm } = applyServerErrors(
          failure,
          values,
          form.setError,
          "We couldn't save your password. Try again.",
        );
        if (inForm) setProblem(sentence);
        showError("Password Creation Failed", sentence);
      }
    },
    () => {
      const error = passwordProblem(form.getValues("password"));
      if (error) showError(error.title, error.message);
    },
  );

  if (done) {
    return (
      <p role="status" className="font-semibold text-herb">
        Your password is set. Next time, sign in with your email and this password.
      </p>
    );
  }
  return (
    <form noValidate className="stack" onSubmit={save}>
      <PasswordInput
        label="Password"
        autoComplete="new-password"
        hint="At least 8 characters. A few words in a row are easy to remember and hard to guess."
        error={form.formState.errors.password?.message ?? (problem || undefined)}
        {...form.register("password")}
      />
      <Button type="submit" className="self-start" busy={set.isPending}>
        {set.isPending ? "Saving…" : submitLabel}
      </Button>
    </form>
  );
}
