import { ArrowLeft } from "lucide-react";
import { type FormEvent, useEffect, useMemo, useRef, useState } from "react";
import { ApiError } from "@/api/client";
import type { SubscriptionPayment } from "@/api/types";
import { BotCheckProblem, botCheckToken, type FormGuard, prepareBotCheck } from "@/lib/bot-check";
import { wordsFor } from "@/lib/failure-words";
import { Button } from "@/ui/button";
import { Checkbox, TextInput } from "@/ui/inputs";
import { type Problem, ProblemNotice } from "@/ui/problem-notice";
import { SkeletonRows } from "@/ui/skeleton";
import { useBeginPayment } from "../api/begin-payment";
import { useRegisterSubscriber } from "../api/register-subscriber";
import { CardStep } from "./card-step";

interface SubscribeProps {
  /** A month, in cents; the server charges its own. */
  amount: number;
  currency: string;
  price: string;
  /** The revenue share of a subscriber, and whether there is one. */
  share: string;
  hasShare: boolean;
  points: string[];
  /** The revenue share of the plans without a monthly fee. */
  plans: { freeShare: string; brandedShare: string; freeOffers: number };
  /** The signed-in owner's; empty for someone new. */
  restaurant: string;
  /** What was entered before in this browser. */
  name: string;
  email: string;
  isSignedIn: boolean;
  /** A payment that went through and has no restaurant yet; empty otherwise. */
  paidIntentId: string;
  /** The payment that a bank's page returned from; empty otherwise. */
  returned: string;
  bot: FormGuard;
  returnUrl: string;
  nextUrl: string;
  plansUrl: string;
  publishableKey: string;
  cardScriptUrl: string;
}

interface Details {
  email: string;
  name: string;
  acceptedTerms: boolean;
}

type Missing = Partial<Record<keyof Details, string>>;

/** Subscribing: the restaurant's details, then a card for the first month. */
export function SubscribePage(props: SubscribeProps) {
  const { restaurant, paidIntentId: paid, returned, nextUrl } = props;
  const [details, setDetails] = useState<Details>({
    email: props.email,
    name: restaurant || props.name,
    acceptedTerms: Boolean(paid || returned),
  });
  const [missing, setMissing] = useState<Missing>({});
  const [payment, setPayment] = useState<SubscriptionPayment | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [checking, setChecking] = useState(Boolean(returned));
  const begin = useBeginPayment();
  const register = useRegisterSubscriber();

  async function finish(paymentIntentId: string): Promise<void> {
    setProblem(null);
    try {
      await register.mutateAsync({ ...details, paymentIntentId });
      location.assign(nextUrl);
    } catch (failure) {
      setMissing(missingIn(failure));
      setProblem({
        title: titleOf(failure, isUnpaid(failure) ? "Payment Failed" : "Registration Error"),
        text: wordsFor(
          failure,
          "Your payment went through, but we couldn't finish your registration. Try again, or " +
            "contact us. You won't be charged again.",
        ),
      });
      setChecking(false);
    }
  }

  // The bank's page led back here, and the server knows the result.
  const asked = useRef(false);
  useEffect(() => {
    if (!returned || asked.current) return;
    asked.current = true;
    void finish(returned);
  });

  async function toPayment(event: FormEvent): Promise<void> {
    event.preventDefault();
    setProblem(null);
    const found = paid || returned ? {} : missingDetails(details, restaurant);
    setMissing(found);
    if (Object.keys(found).length > 0) {
      return setProblem({ title: "Missing Information", text: Object.values(found)[0] ?? "" });
    }
    if (paid) return finish(paid);
    try {
      const proof = props.isSignedIn
        ? {}
        : { hcaptchaToken: await botCheckToken(props.bot), startedAt: props.bot.startedAt };
      const { amount, currency } = props;
      const begun = await begin.mutateAsync({ amount, currency, ...details, ...proof });
      if (begun.isPaid) return finish(begun.paymentIntentId);
      setPayment(begun);
    } catch (failure) {
      if (failure instanceof BotCheckProblem) {
        return setProblem({ title: failure.title, text: failure.message });
      }
      setMissing(missingIn(failure));
      setProblem({
        title: titleOf(failure, "Payment Setup Error"),
        text: wordsFor(failure, "Failed to initialize payment system. Try again."),
      });
    }
  }

  const processor = useMemo(
    () => ({ publishableKey: props.publishableKey, scriptUrl: props.cardScriptUrl }),
    [props.publishableKey, props.cardScriptUrl],
  );
  const set = (change: Partial<Details>) => setDetails((before) => ({ ...before, ...change }));

  return (
    <div className="wrap wrap-narrow py-8 stack rhythm-6">
      <p>
        <a className="cluster" href={props.isSignedIn ? "/free-tier-dashboard" : "/"}>
          <ArrowLeft size="1.125rem" strokeWidth={1.5} aria-hidden="true" />
          {props.isSignedIn ? "Back to Dashboard" : "Fully Booked"}
        </a>
      </p>
      <Offer {...props} />
      <section className="card" aria-labelledby="sign-up">
        <div className="card-body stack rhythm-4">
          <h2 id="sign-up">{headingOf(payment !== null, Boolean(paid))}</h2>
          {checking && <SkeletonRows rows={2} label="Checking your payment" />}
          {!checking && payment && (
            <CardStep
              processor={processor}
              clientSecret={payment.clientSecret}
              returnUrl={props.returnUrl}
              email={details.email}
              submitLabel={`Pay ${props.price}`}
              mandate={
                <p>
                  We charge your card {props.price} now, and {props.price} every month from then on
                  until you cancel. You can cancel anytime in your settings.
                </p>
              }
              onBack={() => setPayment(null)}
              onPaid={() => finish(payment.paymentIntentId)}
            />
          )}
          {!checking && !payment && (
            <form
              className="stack rhythm-4"
              noValidate
              onSubmit={toPayment}
              onFocus={() => !props.isSignedIn && prepareBotCheck(props.bot)}
            >
              {paid && <p>Your payment went through. Enter what's missing to finish.</p>}
              <TextInput
                label={restaurant ? "Email for bills" : "Email"}
                type="email"
                autoComplete="email"
                value={details.email}
                error={missing.email}
                onChange={(event) => set({ email: event.target.value })}
              />
              {restaurant ? (
                <p>
                  For <strong>{restaurant}</strong>.
                </p>
              ) : (
                <TextInput
                  label="Restaurant name"
                  autoComplete="organization"
                  maxLength={100}
                  value={details.name}
                  error={missing.name}
                  onChange={(event) => set({ name: event.target.value })}
                />
              )}
              <div className="stack rhythm-2">
                <Checkbox
                  label={`I agree to the terms, and to be charged ${props.price} a month until I cancel.`}
                  checked={details.acceptedTerms}
                  aria-invalid={missing.acceptedTerms ? true : undefined}
                  onChange={(event) => set({ acceptedTerms: event.target.checked })}
                />
                <p className="small">
                  <a href="/terms" target="_blank" rel="noreferrer">
                    Read the terms
                  </a>
                </p>
                {missing.acceptedTerms && (
                  <p className="error" role="alert">
                    {missing.acceptedTerms}
                  </p>
                )}
              </div>
              <ProblemNotice problem={problem} />
              <Button
                type="submit"
                variant="primary"
                className="self-start"
                busy={begin.isPending || register.isPending}
              >
                {paid ? "Finish signing up" : "Continue to payment"}
              </Button>
            </form>
          )}
          {payment && <ProblemNotice problem={problem} />}
        </div>
      </section>
    </div>
  );
}

function Offer(props: SubscribeProps) {
  const { price, hasShare, share, points, plans, plansUrl } = props;
  return (
    <div className="stack rhythm-3">
      <h1>Subscribe for {price} a month</h1>
      <p>
        {hasShare
          ? `You pay ${price} a month and ${share} of each order you're paid for.`
          : `You pay ${price} a month and no share of your orders.`}{" "}
        Card processing is deducted in addition. Cancel anytime; the month you paid for stays yours.
      </p>
      <ul className="ticks">
        {points.map((point) => (
          <li key={point}>
            <span>{point}</span>
          </li>
        ))}
      </ul>
      <p className="muted">
        Prefer no monthly fee? The Free and Branded plans have none: you pay a share of each order
        instead, {plans.freeShare} after your first {plans.freeOffers} specials of a month on Free,
        or {plans.brandedShare} on Branded. <a href={plansUrl}>Compare plans</a>
      </p>
    </div>
  );
}

function headingOf(isPaying: boolean, isPaid: boolean): string {
  if (isPaying) return "Your card";
  return isPaid ? "Finish signing up" : "Your details";
}

function missingDetails(details: Details, restaurant: string): Missing {
  const missing: Missing = {};
  if (!/^\S+@\S+\.\S+$/.test(details.email.trim())) missing.email = "Enter your email address.";
  if (!restaurant && !details.name.trim()) missing.name = "Enter your restaurant's name.";
  if (!details.acceptedTerms) missing.acceptedTerms = "Agree to the terms to subscribe.";
  return missing;
}

function missingIn(failure: unknown): Missing {
  if (!(failure instanceof ApiError)) return {};
  return Object.fromEntries(failure.errors.map(({ field, message }) => [field, message]));
}

/** The card wasn't charged after all, for instance because its bank said no. */
const isUnpaid = (failure: unknown) =>
  failure instanceof ApiError && failure.status === 409 && failure.errors.length === 0;

/** The server's short message where the sentence beside it says more. */
function titleOf(failure: unknown, otherwise: string): string {
  if (!(failure instanceof ApiError) || failure.errors.length === 0) return otherwise;
  const { message } = failure.body as { message?: string };
  return message && message.length < 40 ? message : otherwise;
}
