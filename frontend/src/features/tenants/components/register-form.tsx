import { zodResolver } from "@hookform/resolvers/zod";
import { type ReactNode, useEffect, useMemo, useState } from "react";
import { useForm } from "react-hook-form";
import { ApiError } from "@/api/client";
import { BotCheckProblem, botCheckToken, type FormGuard, prepareBotCheck } from "@/lib/bot-check";
import { clearDraft, readDraft, saveDraft } from "@/lib/form-draft";
import { applyServerErrors } from "@/lib/server-errors";
import { suggestLabel } from "@/lib/slug";
import { useStep } from "@/lib/use-step";
import { Button } from "@/ui/button";
import { showError } from "@/ui/toaster";
import { StepTitle, Wizard } from "@/ui/wizard";
import { useRegisterTenant } from "../api/register-tenant";
import { registerPayload } from "../lib/register-payload";
import { firstStep, type RegisterValues, registerSchema } from "../lib/register-schema";
import { AccountStep } from "./account-step";
import { type Places, RestaurantStep } from "./restaurant-step";

interface RegisterTenantProps {
  /** The signed-in person, to whose account the restaurant is added; null for someone new. */
  account: { name: string; email: string } | null;
  suffix: string;
  places: Places;
  termsUrl: string;
  /** The bot check of someone new (DECISIONS X72). */
  guard: FormGuard | null;
  /** Where a registered owner goes on. */
  next: string;
}

const DRAFT = "restaurant_register_form";
const steps = ["account", "restaurant"] as const;
const labels = { account: "Business", restaurant: "Restaurant" };

const empty: RegisterValues = {
  tenantName: "",
  tenantSlug: "",
  subdomain: "",
  name: "",
  email: "",
  password: "",
  restaurantName: "",
  streetAddress: "",
  city: "",
  state: "",
  zipCode: "",
  country: "US",
  phone: "",
  hasAgreedToTerms: false,
};

/** Business and account, then the restaurant; back and forth without losing a word. */
export function RegisterTenant(props: RegisterTenantProps) {
  const { account, suffix, places, termsUrl, guard, next } = props;
  const signedIn = account !== null;
  const form = useForm<RegisterValues>({
    resolver: useMemo(() => zodResolver(registerSchema(signedIn)), [signedIn]),
    defaultValues: useMemo(() => ({ ...empty, ...readDraft(DRAFT), ...account }), [account]),
  });
  const { step, goTo, heading } = useStep(steps);
  const register = useRegisterTenant();
  const [problem, setProblem] = useState<ReactNode>("");

  useEffect(() => {
    const { unsubscribe } = form.watch((values) => saveDraft(DRAFT, values));
    return unsubscribe;
  }, [form]);

  // A reload on step 2 loses the password: step 1 must be complete before step 2 is shown.
  useEffect(() => {
    if (step !== "restaurant") return;
    void form.trigger([...firstStep]).then((good) => {
      if (!good) goTo("account");
    });
  }, [step, form, goTo]);

  async function toRestaurant() {
    if (!(await form.trigger([...firstStep], { shouldFocus: true }))) return;
    if (!form.getValues("restaurantName")) {
      form.setValue("restaurantName", form.getValues("tenantName").trim());
    }
    goTo("restaurant");
  }

  const send = form.handleSubmit(
    async (values) => {
      setProblem("");
      try {
        const proof = guard && {
          hcaptchaToken: await botCheckToken(guard),
          startedAt: guard.startedAt,
        };
        await register.mutateAsync({ ...registerPayload(values, signedIn), ...proof });
        clearDraft(DRAFT);
        location.assign(next);
      } catch (failure) {
        if (failure instanceof BotCheckProblem) {
          setProblem(failure.message);
          showError(failure.title, failure.message);
          return;
        }
        const error = applyServerErrors(
          failure,
          values,
          form.setError,
          "We couldn't register your restaurant. Try again in a minute.",
        );
        if (error.inForm) setProblem(error.sentence);
        showError(
          isKnownEmail(failure) ? "Email Already Registered" : "Registration Failed",
          error.sentence,
        );
        if (failure instanceof ApiError && isAboutStepOne(failure)) goTo("account");
      }
    },
    (errors) => {
      if (firstStep.some((field) => errors[field])) goTo("account");
    },
  );

  return (
    <Wizard
      label="Registration"
      steps={steps.map((id) => ({ id, label: labels[id] }))}
      current={step}
      skip={signedIn ? { label: "Cancel", href: "/platform/tenants" } : undefined}
    >
      <form
        noValidate
        onFocus={() => guard && prepareBotCheck(guard)}
        className="stack rhythm-8"
        onSubmit={(event) => {
          event.preventDefault();
          void (step === "account" ? toRestaurant() : send());
        }}
      >
        {step === "account" ? (
          <>
            <StepTitle
              heading={heading}
              title={signedIn ? "Add another restaurant" : "Register your business"}
              lead={
                signedIn
                  ? "It gets its own address, menu, and ledger. You can switch between restaurants anytime."
                  : "One account for all your restaurants. Next, add your first one."
              }
            />
            <AccountStep
              form={form}
              account={account}
              suffix={suffix}
              onNameTyped={(name) => {
                if (!form.formState.dirtyFields.tenantSlug) {
                  form.setValue("tenantSlug", suggestLabel(name, 100));
                }
              }}
            />
          </>
        ) : (
          <>
            <StepTitle
              heading={heading}
              title="The restaurant"
              lead="This is what guests see on its page."
            />
            <RestaurantStep form={form} places={places} termsUrl={termsUrl} />
          </>
        )}
        {problem && (
          <p className="error" role="alert">
            {problem} What you entered is still here.
          </p>
        )}
        <div className="wizard-actions">
          <Button type="submit" variant="primary" size="large" busy={register.isPending}>
            {step === "account"
              ? "Continue"
              : register.isPending
                ? "Registering…"
                : "Register restaurant"}
          </Button>
          {step === "restaurant" && (
            <Button
              variant="quiet"
              size="large"
              disabled={register.isPending}
              onClick={() => goTo("account")}
            >
              Back
            </Button>
          )}
        </div>
      </form>
      {!signedIn && (
        <p className="muted">
          Already registered? <a href="/login?next=/platform/register">Sign in</a> to add a
          restaurant to your account.
        </p>
      )}
    </Wizard>
  );
}

/** A slug or an address that is taken answers 409 as well. */
function isKnownEmail(failure: unknown): boolean {
  return (
    failure instanceof ApiError &&
    failure.status === 409 &&
    failure.errors.some(({ field }) => field === "email")
  );
}

function isAboutStepOne(failure: ApiError): boolean {
  return failure.errors.some(({ field }) => (firstStep as readonly string[]).includes(field));
}
