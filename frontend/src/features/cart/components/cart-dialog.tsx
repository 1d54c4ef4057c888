import { useEffect, useRef, useState } from "react";
import { ApiError } from "@/api/client";
import type { CartBegun, CartResult } from "@/api/types";
import { wordsFor } from "@/lib/failure-words";
import { gettext, interpolate } from "@/lib/i18n";
import { formatCents } from "@/lib/money";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import type { Problem } from "@/ui/problem-notice";
import { beginCheckout } from "../api/begin-checkout";
import { confirmCheckout } from "../api/confirm-checkout";
import { getCheckout } from "../api/get-checkout";
import { leaveCheckout } from "../api/leave-checkout";
import { useCart } from "../hooks/use-cart";
import { refusalOf, validateItem } from "../lib/cart-items";
import { checkoutReturnUrl } from "../lib/checkout-path";
import type { Guest } from "../lib/guest";
import { EMPTY_GUEST, rememberedGuest, rememberGuest, validateGuest } from "../lib/guest";
import { saveCheckout, savedCheckout } from "../lib/saved-checkout";
import { cartSums } from "../lib/totals";
import { botCheckSentence, withBotCheck } from "../lib/with-bot-check";
import { notSetUp } from "./card-form";
import { isHeldShort } from "./held";
import { PaymentStep } from "./payment-step";
import { Results, resultsTitle } from "./results";
import { ShoppingStep } from "./shopping-step";

type Step =
  | { name: "shopping" }
  | { name: "payment"; begun: CartBegun }
  | { name: "results"; id: string; publishableKey: string; state: CartResult };

interface CartDialogProps {
  restaurant: string;
  onClose: () => void;
}

/** Shopping, then payment, then the result of each item. Mounted again when it is opened. */
export function CartDialog({ restaurant, onClose }: CartDialogProps) {
  const cart = useCart(restaurant);
  const [step, setStep] = useState<Step>({ name: "shopping" });
  const [busy, setBusy] = useState(false);
  const [strict, setStrict] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [guest, setGuest] = useState(() => rememberedGuest() ?? EMPTY_GUEST);
  const [remember, setRemember] = useState(() => rememberedGuest() !== null);
  const body = useRef<HTMLDivElement>(null);
  const seen = useRef(step.name);

  useEffect(() => {
    if (seen.current === step.name) return;
    seen.current = step.name;
    body.current?.focus({ preventScroll: true });
    body.current?.parentElement?.scrollTo(0, 0);
  }, [step.name]);

  const finish = (id: string, publishableKey: string, state: CartResult): void => {
    cart.remove(state.items.filter(({ status }) => status === "held").map((item) => item.offerId));
    saveCheckout(restaurant, null);
    setStep({ name: "results", id, publishableKey, state });
  };

  const leave = async (id: string, publishableKey: string): Promise<void> => {
    setBusy(true);
    try {
      await leaveCheckout(restaurant, id);
      saveCheckout(restaurant, null);
    } catch (failure) {
      // It has become an order meanwhile; any other checkout expires on its own.
      if (failure instanceof ApiError && isState(failure.body)) {
        return finish(id, publishableKey, failure.body);
      }
      saveCheckout(restaurant, null);
    } finally {
      setBusy(false);
    }
    setStep({ name: "shopping" });
    void cart.refresh();
  };

  // A reload in the middle of a payment left portions reserved: put them back into the cart, unless
  // they have become orders.
  const atOpening = useRef(leave);
  useEffect(() => {
    const left = savedCheckout(restaurant);
    if (left) void atOpening.current(left.id, left.publishableKey);
  }, [restaurant]);

  const possible = (cart.shown ?? []).filter((each) => !refusalOf(each));
  const sums = cartSums(
    possible.map(({ item }) => item),
    cart.taxRate,
  );

  const proceed = async (): Promise<void> => {
    setStrict(true);
    setProblem(null);
    if (possible.length === 0) return;
    const gone = possible.length < cart.items.length;
    const invalid = possible.some((each) => Object.keys(validateItem(each)).length > 0);
    if (gone || invalid || Object.keys(validateGuest(guest, cart.asksForPhone)).length > 0) {
      if (gone) {
        setProblem({
          title: gettext("Some items are no longer available"),
          text: gettext("Remove them to continue with the rest."),
        });
      }
      return focusFirstError();
    }
    setBusy(true);
    rememberGuest(remember ? trimmed(guest) : null);
    try {
      const items = possible.map(({ item }) => item);
      const begun = await withBotCheck((proof) =>
        beginCheckout(restaurant, items, trimmed(guest), sums.total, proof),
      );
      saveCheckout(restaurant, { id: begun.checkoutId, publishableKey: begun.publishableKey });
      setStep({ name: "payment", begun });
    } catch (failure) {
      const { title, text } = notSetUp();
      setProblem({ title, text: botCheckSentence(failure) ?? wordsFor(failure, text) });
      void cart.refresh();
      // After rendering, because the browser keeps what is in view where it is.
      requestAnimationFrame(() => body.current?.parentElement?.scrollTo(0, 0));
    } finally {
      setBusy(false);
    }
  };

  /** Only after the errors are rendered is it known where the focus has to go. */
  const focusFirstError = (): void => {
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
      saveCheckout(restaurant, null);
      void leaveCheckout(restaurant, step.begun.checkoutId).catch(() => undefined);
    }
    onClose();
  };

  const processorOf = (publishableKey: string, accountId: string | null = null) => ({
    publishableKey,
    accountId,
    scriptUrl: cart.scriptUrl,
  });
  const errors = strict ? validateGuest(guest, cart.asksForPhone) : {};

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
              className={possible.length > 0 ? "max-card:hidden" : undefined}
              disabled={busy}
              onClick={close}
            >
              {gettext("Keep browsing")}
            </Button>
            {possible.length > 0 && (
              <Button
                variant="primary"
                className="flex-col gap-0"
                busy={busy}
                onClick={() => void proceed()}
              >
                {busy ? (
                  gettext("Reserving your portions…")
                ) : (
                  <>
                    <span>
                      {interpolate(gettext("Continue to payment · %s"), [formatCents(sums.total)])}
                    </span>{" "}
                    <span className="text-xs font-normal">
                      {sums.tax > 0
                        ? gettext("With tax. You pay only for what's on")
                        : gettext("You pay only for what's on")}
                    </span>
                  </>
                )}
              </Button>
            )}
          </>
        ) : step.name === "results" ? (
          <Button
            variant={
              step.state.status === "held" && !step.state.items.some(isHeldShort)
                ? "primary"
                : "secondary"
            }
            disabled={busy}
            onClick={close}
          >
            {step.state.items.some(({ status }) => status === "requires_action")
              ? gettext("Finish later")
              : gettext("Done")}
          </Button>
        ) : undefined
      }
    >
      <div ref={body} tabIndex={-1} className="outline-none">
        {step.name === "shopping" && (
          <ShoppingStep
            cart={cart}
            guest={guest}
            errors={errors}
            remember={remember}
            strict={strict}
            problem={problem}
            onGuestChange={setGuest}
            onRemember={setRemember}
          />
        )}
        {step.name === "payment" && (
          <PaymentStep
            begun={step.begun}
            processor={processorOf(step.begun.publishableKey, step.begun.accountId)}
            returnUrl={checkoutReturnUrl(restaurant, step.begun.checkoutId)}
            guest={trimmed(guest)}
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
            returnUrl={checkoutReturnUrl(restaurant, step.id)}
            state={step.state}
            email={guest.email.trim()}
            onBusy={setBusy}
            onDropped={cart.remove}
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
      return resultsTitle(step.state);
  }
}

const trimmed = ({ name, email, phone }: Guest): Guest => ({
  name: name.trim(),
  email: email.trim(),
  phone: phone.trim(),
});

function isState(body: unknown): body is CartResult {
  return typeof body === "object" && body !== null && Array.isArray((body as CartResult).items);
}
