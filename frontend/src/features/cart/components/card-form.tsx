import { Elements, PaymentElement, useElements, useStripe } from "@stripe/react-stripe-js";
import type { Stripe } from "@stripe/stripe-js";
import { type FormEvent, type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import { gettext } from "@/lib/i18n";
import { Button } from "@/ui/button";
import type { Customer } from "../api/cart";
import { fieldsLook, loadProcessor, type Processor } from "../lib/processor";
import { type Problem, Trouble } from "./trouble";

interface CardFormProps {
  processor: Processor;
  /** Of one hold (`pi_`), or of a card for several (`seti_`). */
  clientSecret: string;
  /** Where a bank leads back to that must have the page for itself. */
  returnUrl: string;
  customer?: Customer;
  submitLabel: string;
  cancelLabel: string;
  /** What happens to the card, said at the button. */
  mandate: ReactNode;
  onBusy: (busy: boolean) => void;
  onCancel: () => void;
  /** The card is confirmed; resolves when it is known what that led to. */
  onConfirmed: () => Promise<void>;
}

/** The processor's own fields; the card's number never reaches us. */
export function CardForm(props: CardFormProps) {
  const { processor, clientSecret } = props;
  const [stripe, setStripe] = useState<Stripe | null>(null);
  const [failed, setFailed] = useState(false);

  const { publishableKey, accountId, scriptUrl } = processor;
  const load = useCallback(() => {
    let wanted = true;
    setFailed(false);
    loadProcessor({ publishableKey, accountId, scriptUrl }).then(
      (loaded) => wanted && setStripe(loaded),
      () => wanted && setFailed(true),
    );
    return () => {
      wanted = false;
    };
  }, [publishableKey, accountId, scriptUrl]);
  useEffect(load, [load]);

  if (failed) {
    return (
      <div className="stack">
        <Trouble problem={notSetUp()}>
          <p className="cluster">
            <Button onClick={load}>{gettext("Try again")}</Button>
            <Button onClick={props.onCancel}>{props.cancelLabel}</Button>
          </p>
        </Trouble>
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

/** What is said wherever the payment step cannot begin. */
export const notSetUp = (): Problem => ({
  title: gettext("Payment Setup Failed"),
  text: gettext("Unable to initialize payment. Please try again."),
});

/** What the processor says of the card. */
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

function Fields({
  clientSecret,
  returnUrl,
  customer,
  submitLabel,
  cancelLabel,
  mandate,
  onBusy,
  onCancel,
  onConfirmed,
}: CardFormProps) {
  const stripe = useStripe();
  const elements = useElements();
  const [ready, setReady] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  // A card is given once; what is asked again after a broken connection is what became of it.
  const given = useRef(false);

  const confirm = async (): Promise<void> => {
    if (given.current) return onConfirmed();
    if (!stripe || !elements || !ready) {
      return setProblem({
        title: gettext("Payment System Loading"),
        text: gettext("Wait a moment and press again."),
      });
    }
    const confirmParams = {
      return_url: returnUrl,
      ...(customer && { payment_method_data: { billing_details: { ...customer } } }),
    };
    const { error } = clientSecret.startsWith("seti_")
      ? await stripe.confirmSetup({ elements, confirmParams, redirect: "if_required" })
      : await stripe.confirmPayment({ elements, confirmParams, redirect: "if_required" });
    if (!error) {
      given.current = true;
      return onConfirmed();
    }
    setProblem(refused(error.message));
  };

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
        text: given.current
          ? gettext("Your card was given, but we could not look up your orders. Press again.")
          : gettext("An unexpected error occurred. Please try again."),
      });
    } finally {
      setBusy(false);
      onBusy(false);
    }
  };

  return (
    <form className="stack" noValidate onSubmit={submit}>
      <div className="card-fields" data-ready={ready || undefined}>
        {!ready && <FieldsLoading />}
        <PaymentElement
          options={{
            layout: "tabs",
            defaultValues: customer && { billingDetails: { ...customer } },
          }}
          onReady={() => setReady(true)}
          onLoadError={() => setProblem(notSetUp())}
        />
      </div>
      <div className="small">{mandate}</div>
      <Trouble problem={problem} />
      <div className="flex flex-wrap justify-end gap-2">
        <Button disabled={busy} onClick={onCancel}>
          {cancelLabel}
        </Button>
        <Button type="submit" variant="primary" busy={busy} className="grow min-[30rem]:grow-0">
          {busy ? gettext("Asking your bank…") : submitLabel}
        </Button>
      </div>
    </form>
  );
}
