import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { ApiError } from "@/api/client";
import type { CartBegun, CartResult } from "@/api/types";
import { readCart, saveCart } from "@/lib/cart-store";
import { gettext } from "@/lib/i18n";
import { prepareProcessor } from "@/lib/processor";
import { forgetSent, sentOrder } from "@/lib/sent-order";
import { Button } from "@/ui/button";
import { Notice } from "@/ui/notice";
import { confirmCheckout } from "../api/confirm-checkout";
import { getCheckout } from "../api/get-checkout";
import { leaveCheckout } from "../api/leave-checkout";
import { resumeCheckout } from "../api/resume-checkout";
import { CARD_GIVEN, checkoutReturnUrl, restaurantQuery } from "../lib/checkout-path";
import { saveTypedGuest } from "../lib/guest";
import { orderPage, savedResult } from "../lib/result";
import { saveCheckout, savedCheckout } from "../lib/saved-checkout";
import { PaymentStep } from "./payment-step";
import { Results, resultsTitle } from "./results";

interface CartReturnProps {
  restaurant: string;
  checkoutId: string;
  publishableKey: string;
  cardScriptUrl: string;
}

const inAddress = () => new URLSearchParams(location.search);

/**
 * Whether the bank's own page refused the card. Stripe adds `redirect_status` to the address without
 * documenting its values, and anybody can write an address: what the server says goes before.
 */
const isRefused = () => inAddress().get("redirect_status") === "failed";

/** Whether a card is asked for: the guest comes to give one, or the one just given was refused. */
const asksForCard = () => !inAddress().has(CARD_GIVEN) || isRefused();

/**
 * The page after a cart's payment, and for a guest who comes back to give the card: the payment, then
 * the result of each item.
 */
export function CartReturn({
  restaurant,
  checkoutId,
  publishableKey,
  cardScriptUrl,
}: CartReturnProps) {
  const [saved] = useState(() => savedResult(checkoutId));
  const [isOwn] = useState(() => saved !== null || savedCheckout(restaurant) === checkoutId);
  const [state, setState] = useState<CartResult | null>(saved?.result ?? null);
  const [begun, setBegun] = useState<CartBegun | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const title = useRef<HTMLHeadingElement>(null);
  const processor = useMemo(
    () => ({ publishableKey, scriptUrl: cardScriptUrl }),
    [publishableKey, cardScriptUrl],
  );

  const show = useCallback(
    (next: CartResult): void => {
      const page = orderPage(next);
      if (page) location.replace(page);
      else setState(next);
      const held = next.items.filter(({ status }) => status === "held").map((item) => item.offerId);
      saveCart(
        restaurant,
        readCart(restaurant).filter(({ offerId }) => !held.includes(offerId)),
      );
      saveCheckout(restaurant, null);
      if (next.status === "held") saveTypedGuest(null);
    },
    [restaurant],
  );
  const confirm = useCallback(async () => {
    const next = await confirmCheckout(restaurant, checkoutId);
    history.replaceState(null, "", checkoutReturnUrl(restaurant, checkoutId));
    show(next);
    setBegun(null);
  }, [show, restaurant, checkoutId]);
  const open = useCallback(async () => {
    if (asksForCard()) {
      try {
        return setBegun(await resumeCheckout(restaurant, checkoutId));
      } catch (failure) {
        // The card was given meanwhile, or the orders have ended.
        if (!(failure instanceof ApiError && failure.code === "conflict")) throw failure;
      }
    }
    show(await confirmCheckout(restaurant, checkoutId));
  }, [show, restaurant, checkoutId]);
  const drop = (offerIds: string[]): void => {
    const left = readCart(restaurant).filter(({ offerId }) => !offerIds.includes(offerId));
    saveCart(restaurant, left);
  };
  const look = async () => show(await getCheckout(restaurant, checkoutId));

  const begin = useCallback(() => {
    setProblem(null);
    open().catch((failure: unknown) => {
      const sentence = failure instanceof ApiError ? failure.sentence : undefined;
      // What the tab knows from its payment stays.
      if (saved) return;
      setProblem(sentence ?? gettext("We couldn't load your orders. Nothing is lost; try again."));
    });
  }, [open, saved]);
  useEffect(begin, [begin]);
  // Whoever uses the keyboard goes on below the header.
  const isAsked = begun !== null;
  useEffect(() => {
    if (isAsked) title.current?.focus({ preventScroll: true });
  }, [isAsked]);
  // Beside the server's answer, not after it.
  useEffect(() => {
    if (asksForCard()) prepareProcessor(processor);
  }, [processor]);
  /** Gives the portions back. A checkout that has become an order meanwhile shows its results. */
  const leave = async (items: CartBegun["items"]) => {
    try {
      await leaveCheckout(restaurant, checkoutId);
      saveCheckout(restaurant, null);
      const only = items.length === 1 ? items[0]?.offerId : undefined;
      // A friend's invitation, for example.
      const page = sentOrder(only)?.page ?? `/specials/${only}`;
      forgetSent(only);
      // As this page is addressed: a restaurant's own host needs no more, and guests share addresses.
      const query = inAddress().has("rid") ? `?${restaurantQuery(restaurant)}` : "";
      location.assign(only ? `${page}${query}#pre-order` : `/specials${query}`);
    } catch {
      setBegun(null);
      begin();
    }
  };

  const content = () => {
    if (problem) {
      return (
        <Notice tone="berry" urgent>
          <p>{problem}</p>
          <p>
            <Button onClick={begin}>{gettext("Try again")}</Button>
          </p>
        </Notice>
      );
    }
    if (begun) {
      return (
        <PaymentStep
          begun={begun}
          processor={processor}
          returnUrl={checkoutReturnUrl(restaurant, checkoutId)}
          onBusy={() => undefined}
          refused={isRefused()}
          email={typedEmail(begun.items)}
          onCancel={() => void leave(begun.items)}
          onConfirmed={confirm}
        />
      );
    }
    if (!state) return <Waiting />;
    return (
      <Results
        restaurant={restaurant}
        checkoutId={checkoutId}
        processor={processor}
        returnUrl={checkoutReturnUrl(restaurant, checkoutId)}
        state={state}
        email={saved?.email}
        isOwn={isOwn}
        onDropped={drop}
        onConfirm={confirm}
        onLook={look}
      />
    );
  };
  return (
    <div className="stack rhythm-5">
      <h1 ref={title} tabIndex={-1} className="outline-none">
        {begun || !state ? gettext("Payment") : resultsTitle(state)}
      </h1>
      {content()}
    </div>
  );
}

/** Where the confirmation goes, as far as this tab knows: the server doesn't tell everybody. */
function typedEmail(items: CartBegun["items"]): string | undefined {
  const [item] = items;
  return item && items.length === 1 ? sentOrder(item.offerId)?.email : undefined;
}

/** Until the server answers: about a card that is to be given, or about what became of one. */
function Waiting() {
  return (
    <p role="status">
      {asksForCard() ? gettext("Payment System Loading") : gettext("Checking with your bank…")}
    </p>
  );
}
