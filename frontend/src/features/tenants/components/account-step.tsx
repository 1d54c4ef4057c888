import type { UseFormReturn } from "react-hook-form";
import { TextInput } from "@/ui/inputs";
import { PasswordInput } from "@/ui/password-input";
import type { RegisterValues } from "../lib/register-schema";

interface AccountStepProps {
  form: UseFormReturn<RegisterValues>;
  account: { name: string; email: string } | null;
  suffix: string;
  onNameTyped: (name: string) => void;
}

/** Step 1: the business, its addresses, and the account of someone new. */
export function AccountStep({ form, account, suffix, onNameTyped }: AccountStepProps) {
  const {
    register,
    formState: { errors },
  } = form;
  return (
    <div className="stack rhythm-5">
      <TextInput
        label="Business name"
        autoComplete="organization"
        maxLength={255}
        error={errors.tenantName?.message}
        {...register("tenantName", { onChange: (event) => onNameTyped(event.target.value) })}
      />
      <div className="field-row">
        <TextInput
          label="URL slug"
          hint="Lowercase letters, numbers, and hyphens. Used in links to your business."
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={100}
          error={errors.tenantSlug?.message}
          {...register("tenantSlug")}
        />
        <TextInput
          label="Subdomain"
          optional
          hint={`Guests find you at yourname${suffix}. Leave it blank and we'll suggest one.`}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={100}
          error={errors.subdomain?.message}
          {...register("subdomain")}
        />
      </div>
      {account ? (
        <p className="muted">
          Signed in as <strong>{account.email}</strong>. We'll add the restaurant to this account.
        </p>
      ) : (
        <>
          <TextInput
            label="Your name"
            autoComplete="name"
            maxLength={100}
            error={errors.name?.message}
            {...register("name")}
          />
          <div className="field-row">
            <TextInput
              label="Email"
              type="email"
              inputMode="email"
              autoComplete="username"
              autoCapitalize="none"
              spellCheck={false}
              maxLength={255}
              error={errors.email?.message}
              {...register("email")}
            />
            <PasswordInput
              label="Password"
              autoComplete="new-password"
              hint="At least 6 characters. Longer is safer."
              error={errors.password?.message}
              {...register("password")}
            />
          </div>
        </>
      )}
    </div>
  );
}
