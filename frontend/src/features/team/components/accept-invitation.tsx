import { zodResolver } from "@hookform/resolvers/zod";
import { type ReactNode, useState } from "react";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import type { Invited } from "@/api/types";
import { csrfToken } from "@/lib/csrf";
import { applyServerErrors } from "@/lib/server-errors";
import { rememberUser } from "@/lib/stored-session";
import { formatDay } from "@/lib/times";
import { Button, ButtonLink } from "@/ui/button";
import { TextInput } from "@/ui/inputs";
import { Notice } from "@/ui/notice";
import { PasswordInput } from "@/ui/password-input";
import { showError } from "@/ui/toaster";
import { acceptInvitation } from "../api/accept-invitation";
import { roleDescription, roleLabel } from "../lib/roles";

interface AcceptInvitationProps {
  token: string;
  signedInAs: string | null;
  invitation: Invited | null;
  /** Why there is no invitation. */
  problem: ReactNode;
  dashboardUrl: string;
}

async function accept(token: string, body: { name?: string; password?: string }, next: string) {
  const { user, restaurant } = await acceptInvitation(token, body);
  rememberUser({ ...user, restaurantName: restaurant.name });
  location.assign(next);
}

/** Where an invitation email leads: what it is, and accepting it with this or a new account. */
export function AcceptInvitation({
  token,
  signedInAs,
  invitation,
  problem,
  dashboardUrl,
}: AcceptInvitationProps) {
  if (!invitation) {
    return (
      <div className="auth">
        <h1>Invitation</h1>
        <Notice tone="berry">
          <p>{problem}</p>
        </Notice>
        <ButtonLink href="/">Back to home</ButtonLink>
      </div>
    );
  }
  const { restaurantName, email, role, hasAccount, expiresAt } = invitation;
  return (
    <div className="auth">
      <div className="stack rhythm-2">
        <p className="eyebrow">Invitation for {email}</p>
        <h1>Join {restaurantName}</h1>
        <p>
          As <strong>{roleLabel(role).toLowerCase()}</strong>. {roleDescription(role)}
        </p>
        <p className="small muted">Valid until {formatDay(expiresAt)}.</p>
      </div>
      {signedInAs !== null ? (
        <WithThisAccount
          isMine={signedInAs.toLowerCase() === email.toLowerCase()}
          signedInAs={signedInAs}
          email={email}
          onAccept={() => accept(token, {}, dashboardUrl)}
        />
      ) : hasAccount ? (
        <div className="card">
          <div className="card-body stack">
            <p>
              You already have an account with this email. Sign in and we'll bring you back here.
            </p>
            <ButtonLink
              variant="primary"
              href={`/login?next=${encodeURIComponent(`/invitation?token=${token}`)}`}
            >
              Sign in to accept
            </ButtonLink>
          </div>
        </div>
      ) : (
        <NewAccount onAccept={(values) => accept(token, values, dashboardUrl)} />
      )}
    </div>
  );
}

interface WithThisAccountProps {
  isMine: boolean;
  signedInAs: string;
  email: string;
  onAccept: () => Promise<void>;
}

function WithThisAccount({ isMine, signedInAs, email, onAccept }: WithThisAccountProps) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<ReactNode>("");

  async function join() {
    setBusy(true);
    setProblem("");
    try {
      await onAccept();
    } catch (failure) {
      const { sentence } = applyServerErrors(
        failure,
        {},
        () => undefined,
        "That didn't work. Try again in a minute.",
      );
      setProblem(sentence);
      setBusy(false);
      showError("Error", sentence);
    }
  }

  if (!isMine) {
    return (
      <div className="card">
        <div className="card-body stack">
          <p>
            You are signed in as {signedInAs}, and this invitation is for {email}. Sign out, then
            open its link again.
          </p>
          <form method="post" action="/logout">
            <input type="hidden" name="csrfmiddlewaretoken" value={csrfToken()} />
            <Button type="submit">Sign out</Button>
          </form>
        </div>
      </div>
    );
  }
  return (
    <div className="card">
      <div className="card-body stack">
        {problem && (
          <p className="error" role="alert">
            {problem}
          </p>
        )}
        <Button variant="primary" size="large" busy={busy} onClick={() => void join()}>
          Accept invitation
        </Button>
      </div>
    </div>
  );
}

const schema = z.object({
  name: z.string().check(z.refine((name) => !!name.trim(), "Please enter your name")),
  password: z.string().check(
    z.refine(({ length }) => length >= 8, "Password must be at least 8 characters"),
    z.refine(({ length }) => length <= 128, "Password must not exceed 128 characters"),
  ),
});

function NewAccount({
  onAccept,
}: {
  onAccept: (values: { name: string; password: string }) => Promise<void>;
}) {
  const form = useForm({
    resolver: zodResolver(schema),
    defaultValues: { name: "", password: "" },
  });
  const [problem, setProblem] = useState<ReactNode>("");
  const { errors, isSubmitting } = form.formState;

  const join = form.handleSubmit(async (values) => {
    setProblem("");
    try {
      await onAccept({ ...values, name: values.name.trim() });
    } catch (failure) {
      const { sentence, inForm } = applyServerErrors(
        failure,
        values,
        form.setError,
        "That didn't work. Try again in a minute.",
      );
      if (inForm) setProblem(sentence);
      showError("Registration Failed", sentence);
    }
  });

  return (
    <form noValidate className="card" onSubmit={join}>
      <div className="card-body stack">
        {problem && (
          <p className="error" role="alert">
            {problem}
          </p>
        )}
        <TextInput
          label="Your name"
          autoComplete="name"
          maxLength={100}
          error={errors.name?.message}
          {...form.register("name")}
        />
        <PasswordInput
          label="Password"
          autoComplete="new-password"
          hint="At least 8 characters."
          error={errors.password?.message}
          {...form.register("password")}
        />
        <Button type="submit" variant="primary" size="large" busy={isSubmitting}>
          Create account and join
        </Button>
      </div>
    </form>
  );
}
