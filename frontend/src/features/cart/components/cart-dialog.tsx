import { useEffect, useRef, useState } from "react";
import { ApiError } from "@/api/client";
import type { CartBegun, CartResult } from "@/api/types";
import { gettext, interpolate } from "@/lib/i18n";
import { formatCents } from "@/lib/money";
import { sentenceFor } from "@/lib/server-errors";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import {
  beginCheckout,
  type Customer,
  confirmCheckout,
  getCheckout,
  leaveCheckout,
} from "../api/cart";
import { useCart } from "../hooks/use-cart";
import { faultsOf, NOBODY, rememberCustomer, rememberedCustomer } from "../lib/customer";
import { faultOf, refusalOf } from "../lib/lines";
import { keepCheckout, openCheckout } from "../lib/open-checkout";
import { cartSums } from "../lib/sums";
import { notSetUp } from "./card-form";
import { PaymentStep } from "./payment-step";
import { Results } from "./results";
import { ShoppingStep } from "./shopping-step";
import type { Problem } from "./trouble";

type Step =
  | { name: "shopping" }
  | { name: "payment"; begun: CartBegun }
  | { name: "results"; id: string; publishableKey: string; state: CartResult };

interface CartDialogProps {
  restaurant: string;
  onClose: () => void;
}

/** Shopping, then payment, then what became of each line. Mounted anew when it is opened. */
export function CartDialog({ restaurant, onClose }: CartDialogProps) {
  const cart = useCart(restaurant);
  const [step, setStep] = useState<Step>({ name: "shopping" });
  const [busy, setBusy] = useState(false);
  const [strict, setStrict] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [customer, setCustomer] = useState(() => rememberedCustomer() ?? NOBODY);
  const [remember, setRemember] = useState(() => rememberedCustomer() !== null);
  const body = useRef<HTMLDivElement>(null);
  const seen = useRef(step.name);

  useEffect(() => {
    if (seen.current === step.name) return;
    seen.current = step.name;
    body.current?.focus({ preventScroll: true });
    body.current?.parentElement?.scrollTo(0, 0);
  }, [step.name]);

  const finish = (id: string, publishableKey: string, state: CartResult): void => {
    cart.remove(state.lines.filter(({ status }) => status === "held").map((line) => line.offerId));
    keepCheckout(restaurant, null);
    setStep({ name: "results", id, publishableKey, state });
  };

  const leave = async (id: string, publishableKey: string): Promise<void> => {
    setBusy(true);
    try {
      await leaveCheckout(restaurant, id);
      keepCheckout(restaurant, null);
    } catch (failure) {
      // It has become an order meanwhile; anything else ends by its own clock.
      if (failure instanceof ApiError && isState(failure.body)) {
        return finish(id, publishableKey, failure.body);
      }
      keepCheckout(restaurant, null);
    } finally {
      setBusy(false);
    }
    setStep({ name: "shopping" });
    void cart.refresh();
  };

  // A reload in the middle of a payment left portions behind: back to the cart with them, unless
  // they have become orders.
  const atOpening = useRef(leave);
  useEffect(() => {
    const left = openCheckout(restaurant);
    if (left) void atOpening.current(left.id, left.publishableKey);
  }, [restaurant]);

  const possible = (cart.shown ?? []).filter((each) => !refusalOf(each));
  const sums = cartSums(
    possible.map(({ line }) => line),
    cart.taxRate,
  );

  const proceed = async (): Promise<void> => {
    setStrict(true);
    setProblem(null);
    if (possible.length === 0) return;
    const gone = possible.length < cart.lines.length;
    const faulty = possible.some((each) => Object.keys(faultOf(each)).length > 0);
    if (gone || faulty || Object.keys(faultsOf(customer)).length > 0) {
      if (gone) {
        setProblem({
          title: gettext("Some of this can no longer be ordered"),
          text: gettext("Remove it to go on with the rest."),
        });
      }
      return focusFirstFault();
    }
    setBusy(true);
    rememberCustomer(remember ? trimmed(customer) : null);
    try {
      const lines = possible.map(({ line }) => line);
      const begun = await beginCheckout(restaurant, lines, trimmed(customer), sums.total);
      keepCheckout(restaurant, { id: begun.checkoutId, publishableKey: begun.publishableKey });
      setStep({ name: "payment", begun });
    } catch (failure) {
      const { title, text } = notSetUp();
      setProblem({ title, text: sentenceFor(failure, text) });
      void cart.refresh();
      body.current?.scrollIntoView({ block: "start" });
    } finally {
      setBusy(false);
    }
  };

  /** Where the focus has to go is known once the faults are drawn. */
  const focusFirstFault = (): void => {
    requestAnimationFrame(() =>
      body.current?.querySelector<HTMLElement>("[aria-invalid], [role=alert] button")?.focus(),
    );
  };

  const confirm = async (id: string, publishableKey: string): Promise<void> => {
    finish(id, publishableKey, await confirmCheckout(restaurant, id));
  };
  const look = async (id: string, publishableKey: string): Promise<void> => {
    finish(id, publishableKey, await getCheckout(restaurant, id));
  };

  const close = (): void => {
    if (step.name === "payment") {
      keepCheckout(restaurant, null);
      void leaveCheckout(restaurant, step.begun.checkoutId).catch(() => undefined);
    }
    onClose();
  };

  const processorOf = (publishableKey: string, accountId: string | null = null) => ({
    publishableKey,
    accountId,
    scriptUrl: cart.scriptUrl,
  });
  const faults = strict ? faultsOf(customer) : {};

  return (
    <Dialog
      open
      openAbove
      onClose={close}
      locked={busy}
      title={titleOf(step)}
      footer={
        step.name === "shopping" ? (
          <>
            <Button
              className={possible.length > 0 ? "max-[45rem]:hidden" : undefined}
              disabled={busy}
              onClick={close}
            >
              {gettext("Keep browsing")}
            </Button>
            {possible.length > 0 && (
              <Button variant="primary" busy={busy} onClick={() => void proceed()}>
                {busy
                  ? gettext("Keeping your portions…")
                  : interpolate(gettext("Continue to payment · %s"), [formatCents(sums.total)])}
              </Button>
            )}
          </>
        ) : step.name === "results" ? (
          <Button
            variant={step.state.status === "held" ? "primary" : "secondary"}
            disabled={busy}
            onClick={close}
          >
            {gettext("Done")}
          </Button>
        ) : undefined
      }
    >
      <div ref={body} tabIndex={-1} className="outline-none">
        {step.name === "shopping" && (
          <ShoppingStep
            cart={cart}
            customer={customer}
            faults={faults}
            remember={remember}
            strict={strict}
            problem={problem}
            onCustomer={setCustomer}
            onRemember={setRemember}
          />
        )}
        {step.name === "payment" && (
          <PaymentStep
            begun={step.begun}
            processor={processorOf(step.begun.publishableKey, step.begun.accountId)}
            returnUrl={returnUrl(restaurant, step.begun.checkoutId)}
            customer={trimmed(customer)}
            onBusy={setBusy}
            onCancel={() => void leave(step.begun.checkoutId, step.begun.publishableKey)}
            onConfirmed={() => confirm(step.begun.checkoutId, step.begun.publishableKey)}
          />
        )}
        {step.name === "results" && (
          <Results
            restaurant={restaurant}
            checkoutId={step.id}
            processor={processorOf(step.publishableKey)}
            returnUrl={returnUrl(restaurant, step.id)}
            state={step.state}
            email={customer.email.trim()}
            onBusy={setBusy}
            onConfirm={() => confirm(step.id, step.publishableKey)}
            onLook={() => look(step.id, step.publishableKey)}
          />
        )}
      </div>
    </Dialog>
  );
}

function titleOf(step: Step): string {
  switch (step.name) {
    case "shopping":
      return gettext("Your cart");
    case "payment":
      return gettext("Payment");
    case "results":
      return gettext("Your orders");
  }
}

/** Where a bank that must have the page for itself leads back to. */
const returnUrl = (restaurant: string, id: string) =>
  new URL(`/cart/return?checkout=${id}&rid=${restaurant}`, location.origin).href;

const trimmed = ({ name, email, phone }: Customer): Customer => ({
  name: name.trim(),
  email: email.trim(),
  phone: phone.trim(),
});

function isState(body: unknown): body is CartResult {
  return typeof body === "object" && body !== null && Array.isArray((body as CartResult).lines);
}
