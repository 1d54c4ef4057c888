import { Elements, PaymentElement, useElements, useStripe } from "@stripe/react-stripe-js";
import type {
  Stripe,
  StripeElements,
  StripeElementsOptionsMode,
  StripeError,
} from "@stripe/stripe-js";
import { type FormEvent, type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import { gettext } from "@/lib/i18n";
import { fieldsLook, loadProcessor, type Processor } from "@/lib/processor";
import { Button } from "@/ui/button";
import { type Problem, ProblemNotice } from "@/ui/problem-notice";
import type { Guest } from "../lib/guest";
import { notSetUp, refused } from "../lib/problems";

/**
 * "Payment Element automatically shows localized customer-facing error messages during client
 * confirmation for the following error codes":
 * https://docs.stripe.com/payments/payment-element#errors
 */
const SHOWN_BY_FIELDS = new Set([
  "generic_decline",
  "insufficient_funds",
  "incorrect_zip",
  "incorrect_cvc",
  "invalid_cvc",
  "invalid_expiry_month",
  "invalid_expiry_year",
  "expired_card",
  "fraudulent",
  "lost_card",
  "stolen_card",
  "card_velocity_exceeded",
]);

/** The bank asked who it is, and got no answer or a wrong one: https://docs.stripe.com/error-codes */
const NOT_AUTHENTICATED = new Set([
  "payment_intent_authentication_failure",
  "setup_intent_authentication_failure",
]);

interface CardProblem extends Problem {
  /** The fields say it themselves; left to say is what that means and what to do. */
  isShownByFields?: boolean;
}

interface CardFormProps {
  processor: Processor;
  /** For one authorization (`pi_`) or for a card used for several (`seti_`). */
  clientSecret: string | undefined;
  /** What the intent will say, for fields that load before there is one. */
  intended?: StripeElementsOptionsMode;
  /** Where a bank that needs the whole page returns to. */
  returnUrl: string;
  guest?: Guest;
  /** A card was refused before. */
  refused?: boolean;
  submitLabel: string;
  cancelLabel: string;
  /** What happens to the card, above the fields. */
  mandate: ReactNode;
  /** What the guest agrees to by pressing the button, above it. */
  consent?: ReactNode;
  onBusy: (busy: boolean) => void;
  onCancel: () => void;
  /** The card is confirmed; resolves when the result is known. */
  onConfirmed: () => Promise<void>;
}

/** The payment provider's own fields; the card number never reaches us. */
export function CardForm(props: CardFormProps) {
  const { processor, clientSecret, intended } = props;
  const [stripe, setStripe] = useState<Stripe | null>(null);
  const [failed, setFailed] = useState(false);

  const { publishableKey, scriptUrl } = processor;
  const load = useCallback(() => {
    let isMounted = true;
    setFailed(false);
    loadProcessor({ publishableKey, scriptUrl }).then(
      (loaded) => isMounted && setStripe(loaded),
      () => isMounted && setFailed(true),
    );
    return () => {
      isMounted = false;
    };
  }, [publishableKey, scriptUrl]);
  useEffect(load, [load]);

  if (failed) {
    return (
      <div className="stack">
        <ProblemNotice problem={notSetUp()}>
          <p className="cluster">
            <Button onClick={load}>{gettext("Try again")}</Button>
            <Button onClick={props.onCancel}>{props.cancelLabel}</Button>
          </p>
        </ProblemNotice>
      </div>
    );
  }
  if (!stripe) return <FieldsLoading />;
  return (
    <Elements
      key={intended?.mode}
      stripe={stripe}
      options={intended ?? { clientSecret, appearance: fieldsLook() }}
    >
      <Fields {...props} />
    </Elements>
  );
}

function FieldsLoading() {
  return (
    <div className="stack" role="status">
      <p className="muted">{gettext("Payment System Loading")}</p>
      <span className="skeleton h-11 w-full" />
      <span className="skeleton h-11 w-full" />
    </div>
  );
}

function Fields({
  clientSecret,
  intended,
  returnUrl,
  guest,
  refused: wasRefused,
  submitLabel,
  cancelLabel,
  mandate,
  consent,
  onBusy,
  onCancel,
  onConfirmed,
}: CardFormProps) {
  const stripe = useStripe();
  const elements = useElements();
  const [ready, setReady] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<CardProblem | null>(wasRefused ? refused() : null);
  // The fields, and below them what went wrong.
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (problem) place.current?.scrollIntoView({ block: "nearest" });
  }, [problem]);
  // A card is submitted once; after a lost connection only the result is asked for again.
  const submitted = useRef(false);

  const confirm = async (): Promise<void> => {
    if (submitted.current) return onConfirmed();
    if (!stripe || !elements || !ready || !clientSecret) {
      return setProblem({
        title: gettext("Payment System Loading"),
        text: gettext("Wait a moment and try again."),
      });
    }
    const error = await confirmCard(stripe, elements, clientSecret);
    if (!error) {
      submitted.current = true;
      return onConfirmed();
    }
    if (NOT_AUTHENTICATED.has(error.code ?? "")) {
      const text = gettext(
        "Your bank didn't confirm that it's you. Try again or use another card.",
      );
      return setProblem(refused(`${text} ${gettext("Nothing was held or charged.")}`));
    }
    // No card was given, and the fields say what is missing.
    if (error.type === "validation_error") return showFields();
    const problem = refused(error.message);
    // Of an error that isn't the card's, nobody knows yet what it did.
    if (error.type !== "card_error") return setProblem(problem);
    if (SHOWN_BY_FIELDS.has(error.decline_code ?? error.code ?? "")) {
      const text = gettext("Nothing was held or charged. Check the card or use another one.");
      return setProblem({ ...problem, text, isShownByFields: true });
    }
    setProblem({ ...problem, text: `${problem.text} ${gettext("Nothing was held or charged.")}` });
  };

  /**
   * Fields that were created before the intent are submitted first, and confirmed with its secret:
   * https://docs.stripe.com/payments/accept-a-payment-deferred.md
   */
  const confirmCard = async (
    stripe: Stripe,
    elements: StripeElements,
    clientSecret: string,
  ): Promise<StripeError | undefined> => {
    const { error: incomplete } = intended ? await elements.submit() : {};
    if (incomplete) return incomplete;
    const options = {
      elements,
      ...(intended && { clientSecret }),
      confirmParams: {
        return_url: returnUrl,
        ...(guest && { payment_method_data: { billing_details: { ...guest } } }),
      },
      redirect: "if_required" as const,
    };
    const { error } = clientSecret.startsWith("seti_")
      ? await stripe.confirmSetup(options)
      : await stripe.confirmPayment(options);
    return error;
  };

  /** Brings the fields into view, and the focus into them unless they have it. */
  const showFields = (): void => {
    place.current?.scrollIntoView({ block: "nearest" });
    if (!place.current?.contains(document.activeElement)) elements?.getElement("payment")?.focus();
  };

  /** The fields drop their message once the card is corrected (docs.stripe.com/js/element/events), and
   * what we said beside it goes with it. */
  const forgetWhatFieldsShow = (): void =>
    setProblem((current) => (current?.isShownByFields ? null : current));

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    onBusy(true);
    setProblem(null);
    try {
      await confirm();
    } catch {
      setProblem({
        title: gettext("Payment Error"),
        text: submitted.current
          ? gettext("We have your card, but we couldn't load your orders. Try again.")
          : gettext("An unexpected error occurred. Please try again."),
      });
    } finally {
      setBusy(false);
      onBusy(false);
    }
  };

  return (
    <form className="stack rhythm-3" noValidate onSubmit={submit}>
      <div className="small">{mandate}</div>
      <div ref={place} className="card-place stack rhythm-2">
        <div className="card-fields" data-ready={ready || undefined}>
          {!ready && <FieldsLoading />}
          <PaymentElement
            options={{ layout: "tabs" }}
            onReady={() => setReady(true)}
            onChange={forgetWhatFieldsShow}
            onLoadError={() => setProblem(notSetUp())}
          />
        </div>
        {problem?.isShownByFields ? (
          <p className="small" role="alert">
            <span className="visually-hidden">{problem.title}</span> {problem.text}
          </p>
        ) : (
          <ProblemNotice problem={problem} />
        )}
      </div>
      {consent && <p className="small muted">{consent}</p>}
      <div className="card-actions">
        <Button disabled={busy} onClick={onCancel}>
          {cancelLabel}
        </Button>
        <Button type="submit" variant="primary" busy={busy} className="grow">
          {busy ? gettext("Checking with your bank…") : submitLabel}
        </Button>
      </div>
    </form>
  );
}
