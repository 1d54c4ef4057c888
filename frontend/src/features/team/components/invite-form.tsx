import { zodResolver } from "@hookform/resolvers/zod";
import { type ReactNode, useEffect, useState } from "react";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import { ApiError } from "@/api/client";
import type { Role } from "@/api/types";
import { isEmail } from "@/lib/email";
import { clearDraft, readDraft, saveDraft } from "@/lib/form-draft";
import { applyServerErrors } from "@/lib/server-errors";
import { Button } from "@/ui/button";
import { TextInput } from "@/ui/inputs";
import { showSuccess } from "@/ui/toaster";
import { useInvite } from "../api/invite-member";
import { roles } from "../lib/roles";

const schema = z.object({
  email: z.string().check(z.refine(isEmail, "Please enter a valid email address")),
  role: z.enum(["kitchen", "manager", "owner"]),
});

const empty: { email: string; role: Role } = { email: "", role: "manager" };

const DRAFT = "team_invitation_form";

/** What was typed before the step-up page was opened, or an empty form. */
function saved(): typeof empty {
  const { email = "", role } = readDraft(DRAFT);
  return { email, role: roles.find(({ value }) => value === role)?.value ?? empty.role };
}

/** Invites a colleague by email. */
export function InviteForm() {
  const [initial] = useState(saved);
  const form = useForm({ resolver: zodResolver(schema), defaultValues: initial });
  const invite = useInvite();
  const [problem, setProblem] = useState<ReactNode>("");

  useEffect(() => clearDraft(DRAFT), []);

  const send = form.handleSubmit(async (values) => {
    setProblem("");
    try {
      const email = values.email.trim();
      await invite.mutateAsync({ email, role: values.role });
      form.reset({ ...empty, role: values.role });
      showSuccess("Invitation sent", `${email} has seven days to accept.`);
    } catch (failure) {
      // The client leads to the page that asks who is there, which leads back here.
      if (failure instanceof ApiError && failure.code === "reauthenticate") {
        return saveDraft(DRAFT, values);
      }
      const { sentence, inForm } = applyServerErrors(
        failure,
        values,
        form.setError,
        "We couldn't send the invitation. Try again in a minute.",
      );
      if (inForm) setProblem(sentence);
    }
  });

  return (
    <section className="card" aria-labelledby="invite">
      <form noValidate className="card-body stack" onSubmit={send}>
        <h2 id="invite">Invite a teammate</h2>
        {problem && (
          <p className="error" role="alert">
            {problem}
          </p>
        )}
        <TextInput
          label="Email"
          type="email"
          inputMode="email"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          error={form.formState.errors.email?.message}
          {...form.register("email")}
        />
        <fieldset className="stack rhythm-1">
          <legend className="small mb-1 font-semibold">Role</legend>
          {roles.map(({ value, label, description }) => (
            <label key={value} className="check">
              <input type="radio" value={value} {...form.register("role")} />
              <span>
                <strong>{label}.</strong> <span className="muted">{description}</span>
              </span>
            </label>
          ))}
        </fieldset>
        <Button
          type="submit"
          variant="primary"
          className="self-start"
          busy={form.formState.isSubmitting}
        >
          {form.formState.isSubmitting ? "Sending…" : "Send invitation"}
        </Button>
      </form>
    </section>
  );
}
