import { Elements, PaymentElement, useElements, useStripe } from "@stripe/react-stripe-js";
import type { Stripe, StripeElements } from "@stripe/stripe-js";
import { type FormEvent, type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import { gettext } from "@/lib/i18n";
import { fieldsLook, loadProcessor, type Processor } from "@/lib/processor";
import { Button } from "@/ui/button";
import { type Problem, ProblemNotice } from "@/ui/problem-notice";
import type { Guest } from "../lib/guest";
import { type ConfirmWallet, Wallets, type WalletTerms } from "./wallets";

interface CardFormProps {
  processor: Processor;
  /** For one authorization (`pi_`) or for a card used for several (`seti_`). */
  clientSecret: string;
  /** Where a bank that needs the whole page returns to. */
  returnUrl: string;
  guest?: Guest;
  submitLabel: string;
  cancelLabel: string;
  /** What happens to the card, above all that confirms it. */
  mandate: ReactNode;
  /** Shows the wallets' buttons above the card fields. */
  wallets?: WalletTerms;
  onBusy: (busy: boolean) => void;
  onCancel: () => void;
  /** The card is confirmed; resolves when the result is known. */
  onConfirmed: () => Promise<void>;
}

/** The payment provider's own fields; the card number never reaches us. */
export function CardForm(props: CardFormProps) {
  const { processor, clientSecret } = props;
  const [stripe, setStripe] = useState<Stripe | null>(null);
  const [failed, setFailed] = useState(false);

  const { publishableKey, accountId, scriptUrl } = processor;
  const load = useCallback(() => {
    let isMounted = true;
    setFailed(false);
    loadProcessor({ publishableKey, accountId, scriptUrl }).then(
      (loaded) => isMounted && setStripe(loaded),
      () => isMounted && setFailed(true),
    );
    return () => {
      isMounted = false;
    };
  }, [publishableKey, accountId, scriptUrl]);
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
    <Elements stripe={stripe} options={{ clientSecret, appearance: fieldsLook() }}>
      <Fields {...props} />
    </Elements>
  );
}

/** Shown wherever the payment step can't begin. */
export const notSetUp = (): Problem => ({
  title: gettext("Payment Setup Failed"),
  text: gettext("Unable to initialize payment. Please try again."),
});

/** What the payment provider says about the card. */
export const refused = (message?: string): Problem => ({
  title: gettext("Payment Failed"),
  text: message ?? gettext("Your card was not accepted. Try another one."),
});

function FieldsLoading() {
  return (
    <div className="stack" role="status">
      <p className="muted">{gettext("Payment System Loading")}</p>
      <span className="skeleton h-11 w-full" />
      <span className="skeleton h-11 w-full" />
    </div>
  );
}

/** What is confirmed: the card fields know the intent's secret, a wallet's button doesn't. */
interface Chosen {
  elements: StripeElements;
  clientSecret?: string;
  confirmParams: { return_url: string; payment_method_data?: { billing_details: Guest } };
}

function Fields({
  clientSecret,
  returnUrl,
  guest,
  submitLabel,
  cancelLabel,
  mandate,
  wallets,
  onBusy,
  onCancel,
  onConfirmed,
}: CardFormProps) {
  const stripe = useStripe();
  const elements = useElements();
  const [ready, setReady] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const buttons = useRef<HTMLDivElement>(null);
  // The error is above the buttons and would push them out of sight.
  useEffect(() => {
    if (problem) buttons.current?.scrollIntoView({ block: "nearest" });
  }, [problem]);
  // A card is submitted once; after a lost connection only the result is asked for again.
  const submitted = useRef(false);
  // A wallet may confirm twice before the buttons are rendered as busy.
  const working = useRef(false);
  const isSetup = clientSecret.startsWith("seti_");

  const attempt = async (confirm: () => Promise<void>): Promise<void> => {
    if (working.current) return;
    working.current = true;
    setBusy(true);
    onBusy(true);
    setProblem(null);
    try {
      await (submitted.current ? onConfirmed() : confirm());
    } catch {
      setProblem({
        title: gettext("Payment Error"),
        text: submitted.current
          ? gettext("We have your card, but we couldn't load your orders. Try again.")
          : gettext("An unexpected error occurred. Please try again."),
      });
    } finally {
      working.current = false;
      setBusy(false);
      onBusy(false);
    }
  };

  const confirmWith = async (chosen: Chosen): Promise<void> => {
    if (!stripe) return;
    const options = { ...chosen, redirect: "if_required" as const };
    const { error } = isSetup
      ? await stripe.confirmSetup(options)
      : await stripe.confirmPayment(options);
    if (error) return setProblem(refused(error.message));
    submitted.current = true;
    return onConfirmed();
  };

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void attempt(async () => {
      if (!elements || !ready) {
        return setProblem({
          title: gettext("Payment System Loading"),
          text: gettext("Wait a moment and try again."),
        });
      }
      const confirmParams = {
        return_url: returnUrl,
        ...(guest && { payment_method_data: { billing_details: { ...guest } } }),
      };
      return confirmWith({ elements, confirmParams });
    });
  };

  const payWithWallet: ConfirmWallet = (elements, event) =>
    attempt(async () => {
      const { error } = await elements.submit();
      if (!error) {
        const confirmParams = { return_url: returnUrl };
        return confirmWith({ elements, clientSecret, confirmParams });
      }
      event.paymentFailed({ reason: "fail" });
      setProblem(refused(error.message));
    });

  /** After the card is submitted, a press on a wallet asks for the result, too. */
  const canOpenWallet = (): boolean => {
    if (submitted.current) void attempt(onConfirmed);
    return !working.current && !submitted.current;
  };

  return (
    <form className="stack rhythm-3" noValidate onSubmit={submit}>
      <div className="small">{mandate}</div>
      {wallets && stripe && (
        <Wallets
          stripe={stripe}
          terms={wallets}
          isSetup={isSetup}
          canOpen={canOpenWallet}
          onConfirm={payWithWallet}
        />
      )}
      <div className="card-fields" data-ready={ready || undefined}>
        {!ready && <FieldsLoading />}
        <PaymentElement
          options={{
            layout: "tabs",
            defaultValues: guest && { billingDetails: { ...guest } },
            // https://docs.stripe.com/js/elements_object/create_payment_element.md
            wallets: wallets && { applePay: "never", googlePay: "never" },
          }}
          onReady={() => setReady(true)}
          onLoadError={() => setProblem(notSetUp())}
        />
      </div>
      <ProblemNotice problem={problem} />
      <div ref={buttons} className="flex flex-wrap justify-end gap-2">
        <Button disabled={busy} onClick={onCancel}>
          {cancelLabel}
        </Button>
        <Button type="submit" variant="primary" busy={busy} className="grow phone:grow-0">
          {busy ? gettext("Checking with your bank…") : submitLabel}
        </Button>
      </div>
    </form>
  );
}
