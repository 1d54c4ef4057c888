import type { StripeElementsOptionsMode } from "@stripe/stripe-js";
import { useEffect, useMemo, useRef, useState } from "react";
import { ApiError } from "@/api/client";
import type { CartBegun, CartResult } from "@/api/types";
import { gettext, interpolate } from "@/lib/i18n";
import { formatCents } from "@/lib/money";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import type { Problem } from "@/ui/problem-notice";
import { beginCheckout } from "../api/begin-checkout";
import { confirmCheckout } from "../api/confirm-checkout";
import { leaveCheckout } from "../api/leave-checkout";
import { useBack } from "../hooks/use-back";
import { useCart } from "../hooks/use-cart";
import { refusalOf, validateItem } from "../lib/cart-items";
import { checkoutReturnUrl } from "../lib/checkout-path";
import { elementsOptions } from "../lib/elements-options";
import type { Guest } from "../lib/guest";
import {
  EMPTY_GUEST,
  rememberedGuest,
  rememberGuest,
  saveTypedGuest,
  typedGuest,
  validateGuest,
} from "../lib/guest";
import { payWithWallet } from "../lib/pay-with-wallet";
import { notSetUp } from "../lib/problems";
import { seeResult } from "../lib/result";
import { saveCheckout, savedCheckout } from "../lib/saved-checkout";
import { cartSums } from "../lib/totals";
import { withBotCheck } from "../lib/with-bot-check";
import { PaymentStep } from "./payment-step";
import { ShoppingStep } from "./shopping-step";
import type { ConfirmedWallet } from "./wallets";

type Step =
  | { name: "shopping" }
  | { name: "payment"; begun: CartBegun; intended: StripeElementsOptionsMode; email: string };

interface CartDialogProps {
  restaurant: string;
  onClose: () => void;
}

/** Shopping, then payment; the result has a page. Mounted again when it is opened. */
export function CartDialog({ restaurant, onClose }: CartDialogProps) {
  const cart = useCart(restaurant);
  const [step, setStep] = useState<Step>({ name: "shopping" });
  const [busy, setBusy] = useState<false | "reserving" | "paying">(false);
  const [strict, setStrict] = useState(false);
  // The guest's own details are said to be missing once they, and not a wallet, have to say them.
  const [isTyped, setIsTyped] = useState(false);
  // How often something was missing.
  const [refusals, setRefusals] = useState(0);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [cardProblem, setCardProblem] = useState<Problem | null>(null);
  const [guest, setGuest] = useState(() => typedGuest() ?? rememberedGuest() ?? EMPTY_GUEST);
  // The card fields load while the guest types, and not for one who pays with a wallet.
  const [loadsFields, setLoadsFields] = useState(false);
  const [remember, setRemember] = useState(() => rememberedGuest() !== null);
  const body = useRef<HTMLDivElement>(null);
  const seen = useRef(step.name);
  // A wallet may confirm twice before the buttons are rendered as busy. Set until the page is left.
  const isPaying = useRef(false);

  useEffect(() => {
    if (seen.current === step.name) return;
    seen.current = step.name;
    body.current?.focus({ preventScroll: true });
    body.current?.parentElement?.scrollTo(0, 0);
  }, [step.name]);

  // Only after what is missing is rendered is it known where the focus has to go.
  useEffect(() => {
    if (refusals === 0) return;
    const wrong = [
      ...(body.current?.querySelectorAll<HTMLElement>("[aria-invalid], [role=alert]") ?? []),
    ];
    // All of them as far as there is room, and in any case the first.
    wrong.at(-1)?.scrollIntoView({ block: "nearest" });
    wrong[0]?.scrollIntoView({ block: "nearest" });
    wrong[0]?.focus();
  }, [refusals]);

  // The browser stored this page when a payment left it for the page with its result.
  useEffect(() => {
    const closeAfterPaying = () => isPaying.current && onClose();
    addEventListener("pageshow", closeAfterPaying);
    return () => removeEventListener("pageshow", closeAfterPaying);
  }, [onClose]);

  /** Leaves for the page with the result; until it is there, nothing can be pressed. */
  const finish = (checkoutId: string, email: string, result: CartResult): Promise<never> => {
    isPaying.current = true;
    setBusy("paying");
    cart.remove(result.items.filter(({ status }) => status === "held").map((item) => item.offerId));
    return seeResult(restaurant, checkoutId, { email, result });
  };

  const leave = async (checkoutId: string): Promise<void> => {
    setBusy("paying");
    try {
      await leaveCheckout(restaurant, checkoutId);
    } catch (failure) {
      // It has become an order meanwhile; any other checkout expires on its own.
      if (failure instanceof ApiError && isState(failure.body)) {
        return finish(checkoutId, "", failure.body);
      }
    }
    saveCheckout(restaurant, null);
    setBusy(false);
    setLoadsFields(false);
    setStep({ name: "shopping" });
    void cart.refresh();
  };

  // A reload in the middle of a payment left portions reserved: put them back into the cart, unless
  // they have become orders.
  const atOpening = useRef(leave);
  useEffect(() => {
    const left = savedCheckout(restaurant);
    if (left) void atOpening.current(left);
  }, [restaurant]);

  const possible = (cart.shown ?? []).filter((each) => !refusalOf(each));
  const items = possible.map(({ item }) => item);
  const sums = cartSums(items, cart.taxRate);
  const { shop } = cart;
  const intended = useMemo(
    () => shop && elementsOptions(items.length, sums.total, shop),
    [shop, items.length, sums.total],
  );

  /** Whether every item can be ordered as it is; what is missing is shown. */
  const checkItems = (): boolean => {
    setStrict(true);
    setProblem(null);
    setCardProblem(null);
    const gone = possible.length < cart.items.length;
    if (gone) {
      setProblem({
        title: gettext("Some items are no longer available"),
        text: gettext("Remove them to continue with the rest."),
      });
    }
    return !gone && possible.every((each) => Object.keys(validateItem(each)).length === 0);
  };

  const missing = validateGuest(guest, cart.asksForPhone);

  /** Whether there was nothing to see and fill in yet: then the first press leads there. */
  const leadToGuest = (): boolean => {
    const field = body.current?.querySelector("input[autocomplete=name]");
    const shown = body.current?.parentElement?.getBoundingClientRect();
    if (!(field instanceof HTMLElement) || !shown) return false;
    const isBelow = field.getBoundingClientRect().bottom > shown.bottom;
    if (isTyped || guest.name || guest.email || !isBelow) return false;
    field.focus({ preventScroll: true });
    field.scrollIntoView({ block: "center" });
    return true;
  };

  const proceed = async (): Promise<void> => {
    if (possible.length === 0 || !intended) return;
    if (leadToGuest()) return setLoadsFields(true);
    setIsTyped(true);
    setLoadsFields(true);
    // All that is wrong is said at once.
    if (!checkItems() || Object.keys(missing).length > 0) return setRefusals(refusals + 1);
    setBusy("reserving");
    const { email } = trimmed(guest);
    rememberGuest(remember ? trimmed(guest) : null);
    try {
      const begun = await withBotCheck((proof) =>
        beginCheckout(restaurant, items, trimmed(guest), sums.total, proof),
      );
      saveCheckout(restaurant, begun.checkoutId);
      setStep({ name: "payment", begun, intended, email });
    } catch (failure) {
      sayNotBegun(notSetUp(failure));
    } finally {
      setBusy(false);
    }
  };

  /** Perhaps something has changed: the items are asked for again, and the reason is above them. */
  const sayNotBegun = (reason: Problem): void => {
    setProblem(reason);
    void cart.refresh();
    // After rendering, because the browser keeps what is in view where it is.
    requestAnimationFrame(() => body.current?.parentElement?.scrollTo(0, 0));
  };

  const canOpenWallet = (): boolean => {
    if (busy || isPaying.current) return false;
    const isFine = checkItems();
    if (!isFine) setRefusals(refusals + 1);
    return isFine;
  };

  const orderWithWallet = async (confirmed: ConfirmedWallet): Promise<void> => {
    if (isPaying.current) return;
    isPaying.current = true;
    setBusy("paying");
    const typed = trimmed(guest);
    const outcome = await payWithWallet({
      ...confirmed,
      restaurant,
      items,
      total: sums.total,
      typed,
    });
    if (outcome.name === "unknown") return location.assign(outcome.returnUrl);
    if (outcome.name === "known") {
      return finish(outcome.checkoutId, outcome.email, outcome.result);
    }
    isPaying.current = false;
    setBusy(false);
    if (outcome.name === "not begun") return sayNotBegun(outcome.problem);
    setCardProblem(outcome.problem);
  };

  const confirm = async (): Promise<void> => {
    if (step.name !== "payment") return;
    const { checkoutId } = step.begun;
    await finish(checkoutId, step.email, await confirmCheckout(restaurant, checkoutId));
  };
  const onBusy = (isBusy: boolean): void => setBusy(isBusy && "paying");

  const close = (): void => {
    if (step.name === "payment") {
      saveCheckout(restaurant, null);
      void leaveCheckout(restaurant, step.begun.checkoutId).catch(() => undefined);
    }
    onClose();
  };

  useBack(() => {
    if (busy) return true;
    if (step.name === "payment") {
      void leave(step.begun.checkoutId);
      return true;
    }
    close();
    return false;
  });
  const errors = isTyped ? missing : {};
  const begun = step.name === "payment" ? step.begun : undefined;
  const fields = step.name === "payment" ? step.intended : loadsFields && intended;

  return (
    <Dialog
      open
      openAbove
      onClose={close}
      locked={busy !== false}
      title={step.name === "payment" ? gettext("Payment") : gettext("Your cart")}
      footer={
        step.name === "shopping" ? (
          <>
            <Button
              className={possible.length > 0 ? "max-card:hidden" : undefined}
              disabled={busy !== false}
              onClick={close}
            >
              {gettext("Keep browsing")}
            </Button>
            {possible.length > 0 && (
              <Button
                variant="primary"
                className="flex-col gap-0"
                busy={busy !== false}
                onClick={() => void proceed()}
              >
                {busy === "reserving" ? (
                  gettext("Reserving your portions…")
                ) : busy === "paying" ? (
                  gettext("Checking with your bank…")
                ) : (
                  <>
                    <span>
                      {interpolate(gettext("Continue to payment · %s"), [formatCents(sums.total)])}
                    </span>{" "}
                    <span className="text-xs font-normal">
                      {sums.tax > 0
                        ? gettext("With tax. You pay only for what's cooked")
                        : gettext("You pay only for what's cooked")}
                    </span>
                  </>
                )}
              </Button>
            )}
          </>
        ) : undefined
      }
    >
      <div ref={body} tabIndex={-1} className="cart-step">
        {step.name === "shopping" && (
          <ShoppingStep
            cart={cart}
            guest={guest}
            errors={errors}
            remember={remember}
            strict={strict}
            busy={busy !== false}
            problem={problem}
            cardProblem={cardProblem}
            canOpenWallet={canOpenWallet}
            onWallet={(confirmed) => void orderWithWallet(confirmed)}
            onGuestChange={(typed) => {
              setGuest(typed);
              saveTypedGuest(typed);
              setLoadsFields(true);
            }}
            onRemember={setRemember}
          />
        )}
        {shop && fields && (
          <div className={begun ? undefined : "cart-payment-ahead"} inert={!begun}>
            <PaymentStep
              begun={begun}
              intended={fields}
              processor={{ publishableKey: shop.publishableKey, scriptUrl: shop.cardScriptUrl }}
              returnUrl={checkoutReturnUrl(restaurant, begun?.checkoutId ?? "")}
              guest={trimmed(guest)}
              onBusy={onBusy}
              onCancel={() => begun && void leave(begun.checkoutId)}
              onConfirmed={confirm}
            />
          </div>
        )}
      </div>
    </Dialog>
  );
}

const trimmed = ({ name, email, phone }: Guest): Guest => ({
  name: name.trim(),
  email: email.trim(),
  phone: phone.trim(),
});

function isState(body: unknown): body is CartResult {
  return typeof body === "object" && body !== null && Array.isArray((body as CartResult).items);
}
