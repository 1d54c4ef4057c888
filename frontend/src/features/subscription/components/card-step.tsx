import { Elements, PaymentElement, useElements, useStripe } from "@stripe/react-stripe-js";
import type { Stripe } from "@stripe/stripe-js";
import { type FormEvent, type ReactNode, useEffect, useState } from "react";
import { fieldsLook, loadProcessor, type Processor } from "@/lib/processor";
import { Button } from "@/ui/button";
import { type Problem, ProblemNotice } from "@/ui/problem-notice";

interface CardStepProps {
  processor: Processor;
  clientSecret: string;
  /** Where a bank that needs the whole page returns to. */
  returnUrl: string;
  email: string;
  submitLabel: string;
  mandate: ReactNode;
  onBack: () => void;
  /** The card was charged; resolves when the restaurant is registered. */
  onPaid: () => Promise<void>;
}

const notLoaded: Problem = {
  title: "Payment Setup Error",
  text: "Failed to initialize payment system. You haven't been charged.",
};

/** The payment provider's own fields; the card's number never reaches us. */
export function CardStep(props: CardStepProps) {
  const { processor, clientSecret } = props;
  const [stripe, setStripe] = useState<Stripe | null>(null);
  const [failed, setFailed] = useState(false);

  useEffect(() => {
    let isMounted = true;
    loadProcessor(processor).then(
      (loaded) => isMounted && setStripe(loaded),
      () => isMounted && setFailed(true),
    );
    return () => {
      isMounted = false;
    };
  }, [processor]);

  if (failed) {
    return (
      <ProblemNotice problem={notLoaded}>
        <Button onClick={() => location.reload()}>Try Again</Button>
      </ProblemNotice>
    );
  }
  if (!stripe) return <FieldsLoading />;
  return (
    <Elements stripe={stripe} options={{ clientSecret, appearance: fieldsLook() }}>
      <Fields {...props} />
    </Elements>
  );
}

function FieldsLoading() {
  return (
    <div className="stack" role="status">
      <p className="muted">Payment System Loading</p>
      <span className="skeleton h-11 w-full" />
      <span className="skeleton h-11 w-full" />
    </div>
  );
}

function Fields({ returnUrl, email, submitLabel, mandate, onBack, onPaid }: CardStepProps) {
  const stripe = useStripe();
  const elements = useElements();
  const [ready, setReady] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);

  const confirm = async (): Promise<void> => {
    if (!stripe || !elements || !ready) {
      return setProblem({
        title: "Payment System Loading",
        text: "Wait a moment and try again.",
      });
    }
    const { error, paymentIntent } = await stripe.confirmPayment({
      elements,
      confirmParams: {
        return_url: returnUrl,
        payment_method_data: { billing_details: { email } },
      },
      redirect: "if_required",
    });
    // A payment that went through before, for instance in another tab, is as good.
    const isPaid = (paymentIntent ?? error?.payment_intent)?.status === "succeeded";
    if (isPaid) return onPaid();
    // No card was given, and the fields say what is missing.
    if (error?.type === "validation_error") return elements.getElement("payment")?.focus();
    setProblem({
      title: "Payment Failed",
      text: error?.message ?? "Your card wasn't charged. Try another one.",
    });
  };

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setProblem(null);
    try {
      await confirm();
    } catch {
      setProblem({
        title: "Subscription Failed",
        text: "Something went wrong. Try again: you won't be charged twice.",
      });
    } finally {
      setBusy(false);
    }
  };

  return (
    <form className="stack rhythm-4" noValidate onSubmit={submit}>
      <div className="min-h-48" data-ready={ready || undefined}>
        {!ready && <FieldsLoading />}
        <PaymentElement
          options={{ layout: "tabs", defaultValues: { billingDetails: { email } } }}
          onReady={() => setReady(true)}
          onLoadError={() => setProblem(notLoaded)}
        />
      </div>
      <div className="small">{mandate}</div>
      <ProblemNotice problem={problem} />
      <div className="flex flex-wrap justify-end gap-2">
        <Button disabled={busy} onClick={onBack}>
          Back
        </Button>
        <Button type="submit" variant="primary" busy={busy} className="grow phone:grow-0">
          {busy ? "Checking with your bank…" : submitLabel}
        </Button>
      </div>
    </form>
  );
}
