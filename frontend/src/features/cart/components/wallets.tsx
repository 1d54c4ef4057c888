import { Elements, ExpressCheckoutElement, useElements, useStripe } from "@stripe/react-stripe-js";
import type {
  Stripe,
  StripeElements,
  StripeExpressCheckoutElementConfirmEvent,
} from "@stripe/stripe-js";
import { useEffect, useMemo, useRef, useState } from "react";
import type { CartOffers } from "@/api/types";
import type { CartItem } from "@/lib/cart-store";
import { gettext } from "@/lib/i18n";
import { orderSum } from "@/lib/order-sum";
import { loadProcessor } from "@/lib/processor";
import { type Problem, ProblemNotice } from "@/ui/problem-notice";
import { elementsOptions } from "../lib/elements-options";
import { stayInPlace } from "../lib/stay-in-place";
import { walletButtons, walletCosts } from "../lib/wallets";

export interface ConfirmedWallet {
  stripe: Stripe;
  elements: StripeElements;
  event: StripeExpressCheckoutElementConfirmEvent;
}

interface WalletsProps {
  shop: CartOffers;
  /** What is ordered. */
  items: CartItem[];
  /** In cents. */
  total: number;
  /** What became of the last payment, if it failed. */
  problem: Problem | null;
  /** Whether a wallet may open now; if not, what is missing is shown. */
  canOpen: () => boolean;
  onConfirm: (confirmed: ConfirmedWallet) => void;
}

/** Browsers without it show no wallet, so their page gets no room for the buttons. */
const LIKELY = "PaymentRequest" in window ? "likely" : "unlikely";

/**
 * The wallets' buttons, above the fields that a wallet fills in, or nothing without any. For several
 * specials a card is saved first, and the wallet shows no amount: Elements that had one would keep
 * it, so others take their place.
 */
export function Wallets(props: WalletsProps) {
  const { shop, items, total, problem } = props;
  const { publishableKey, cardScriptUrl: scriptUrl } = shop;
  const [stripe, setStripe] = useState<Stripe | null>(null);
  const [has, setHas] = useState<"unknown" | "some" | "room" | "none">("unknown");
  const place = useRef<HTMLDivElement>(null);
  const failed = useRef<HTMLDivElement>(null);
  const options = useMemo(
    () => elementsOptions(items.length, total, shop),
    [items.length, total, shop],
  );

  useEffect(() => {
    const scroller = place.current?.closest<HTMLElement>(".dialog-body");
    if (!place.current || !scroller || isSticky(place.current)) return;
    return stayInPlace(place.current, scroller, scroller);
  }, []);

  /** Fields that a guest uses don't move. Where they don't scroll, the room for the buttons stays. */
  const setNone = (): void => {
    const column = place.current?.parentElement;
    const isUsed = column?.contains(document.activeElement) && isSticky(column);
    setHas(isUsed ? "room" : "none");
  };
  const sayNone = useRef(setNone);

  // The buttons may stand at the foot of what is in view.
  useEffect(() => {
    if (problem) failed.current?.scrollIntoView({ block: "nearest" });
  }, [problem]);

  useEffect(() => {
    let isMounted = true;
    loadProcessor({ publishableKey, scriptUrl }).then(
      (loaded) => isMounted && setStripe(loaded),
      () => isMounted && sayNone.current(),
    );
    return () => {
      isMounted = false;
    };
  }, [publishableKey, scriptUrl]);

  return (
    <div ref={place}>
      {has !== "none" && (
        <div
          className="wallets stack rhythm-3"
          data-waiting={has === "unknown" || has === "room" ? LIKELY : undefined}
        >
          <div className="wallet-buttons">
            {stripe && has !== "room" && (
              <Elements key={options.mode} stripe={stripe} options={options}>
                <Buttons {...props} onHas={(some) => (some ? setHas("some") : setNone())} />
              </Elements>
            )}
          </div>
          {problem && (
            <div ref={failed}>
              <ProblemNotice problem={problem} />
            </div>
          )}
          {has === "some" && (
            <p className="or small muted">{gettext("Or enter your name and email")}</p>
          )}
        </div>
      )}
    </div>
  );
}

/** Whether it is in a column that stays in view beside the dishes. */
function isSticky(element: Element): boolean {
  const column = element.closest(".cart-guest");
  return column !== null && getComputedStyle(column).position === "sticky";
}

interface ButtonsProps extends WalletsProps {
  onHas: (some: boolean) => void;
}

function Buttons({ shop, items, canOpen, onConfirm, onHas }: ButtonsProps) {
  const stripe = useStripe();
  const elements = useElements();
  return (
    <ExpressCheckoutElement
      options={{
        ...walletButtons(shop.restaurantName),
        emailRequired: true,
        phoneNumberRequired: shop.asksForPhone,
      }}
      onReady={({ availablePaymentMethods }) => onHas(Boolean(availablePaymentMethods))}
      onLoadError={() => onHas(false)}
      onClick={({ resolve, reject }) => {
        if (!canOpen()) return reject();
        const [only] = items;
        // They must not exceed the amount, and a setup has none.
        if (items.length > 1 || !only) return resolve({});
        const sums = orderSum(only.unitCents, shop.taxRate, only.quantity);
        resolve({ lineItems: walletCosts(only, sums) });
      }}
      onConfirm={(event) => {
        if (stripe && elements) onConfirm({ stripe, elements, event });
      }}
    />
  );
}
