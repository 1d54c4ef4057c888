import { zodResolver } from "@hookform/resolvers/zod";
import { type ReactNode, useState } from "react";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import { isEmail } from "@/lib/email";
import { applyServerErrors } from "@/lib/server-errors";
import { Button } from "@/ui/button";
import { TextInput } from "@/ui/inputs";
import { showError } from "@/ui/toaster";
import { trackDemo } from "../api/track-demo";

const schema = z.object({
  email: z.string().check(z.refine(isEmail, "Please enter a valid email address")),
});

interface EmailStepProps {
  email: string;
  onDone: (email: string) => void;
}

/** Asks for the visitor's email. */
export function EmailStep({ email, onDone }: EmailStepProps) {
  const form = useForm({ resolver: zodResolver(schema), defaultValues: { email } });
  const [problem, setProblem] = useState<ReactNode>("");

  const start = form.handleSubmit(async (values) => {
    setProblem("");
    try {
      const address = values.email.trim();
      await trackDemo(address, []);
      onDone(address);
    } catch (failure) {
      const { sentence, inForm } = applyServerErrors(
        failure,
        values,
        form.setError,
        "We couldn't start the demo. Try again in a minute.",
      );
      if (inForm) setProblem(sentence);
      showError("Error", sentence);
    }
  });

  return (
    <form noValidate className="card" onSubmit={start}>
      <div className="card-body stack">
        {problem && (
          <p className="error" role="alert">
            {problem}
          </p>
        )}
        <TextInput
          label="Email"
          type="email"
          inputMode="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          hint="So we can ask how you liked it. We delete your device and network address after 30 days."
          error={form.formState.errors.email?.message}
          {...form.register("email")}
        />
        <Button
          type="submit"
          variant="primary"
          size="large"
          className="self-start"
          busy={form.formState.isSubmitting}
        >
          Start the demo
        </Button>
      </div>
    </form>
  );
}
