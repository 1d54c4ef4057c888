import { useCallback, useEffect, useMemo, useState } from "react";
import { ApiError } from "@/api/client";
import type { CartBegun, CartResult } from "@/api/types";
import { readCart, saveCart } from "@/lib/cart-store";
import { gettext } from "@/lib/i18n";
import { Button, ButtonLink } from "@/ui/button";
import { Notice } from "@/ui/notice";
import { ProblemNotice } from "@/ui/problem-notice";
import { confirmCheckout } from "../api/confirm-checkout";
import { getCheckout } from "../api/get-checkout";
import { leaveCheckout } from "../api/leave-checkout";
import { resumeCheckout } from "../api/resume-checkout";
import { restaurantQuery } from "../lib/checkout-path";
import { refused } from "../lib/problems";
import { saveCheckout } from "../lib/saved-checkout";
import { PaymentStep } from "./payment-step";
import { Results, resultsTitle } from "./results";

interface CartReturnProps {
  restaurant: string;
  checkoutId: string;
  publishableKey: string;
  cardScriptUrl: string;
}

/**
 * Whether the bank refused the card before any item was held. Stripe adds `redirect_status` to the
 * address without documenting its values, and anybody can write an address: the server's answer
 * counts too.
 */
function isRefused({ items }: CartResult): boolean {
  const outcome = new URLSearchParams(location.search).get("redirect_status");
  return outcome === "failed" && items.every(({ status }) => status === "open");
}

/**
 * Whether the guest comes to give a card, and not back from a bank, whose check adds
 * `redirect_status` to the address.
 */
function isUnpaid({ items }: CartResult): boolean {
  const isAsked = items.some(({ status }) => status === "open");
  return isAsked && !new URLSearchParams(location.search).has("redirect_status");
}

/**
 * The page after a bank's full-page check, or for a guest who comes back to give the card: the
 * payment, then the result of each item.
 */
export function CartReturn({
  restaurant,
  checkoutId,
  publishableKey,
  cardScriptUrl,
}: CartReturnProps) {
  const [state, setState] = useState<CartResult | null>(null);
  const [begun, setBegun] = useState<CartBegun | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const processor = useMemo(
    () => ({ publishableKey, scriptUrl: cardScriptUrl }),
    [publishableKey, cardScriptUrl],
  );

  const show = useCallback(
    (next: CartResult): void => {
      setState(next);
      if (isRefused(next)) return; // the cart stays; opening it again ends this checkout
      const held = next.items.filter(({ status }) => status === "held").map((item) => item.offerId);
      saveCart(
        restaurant,
        readCart(restaurant).filter(({ offerId }) => !held.includes(offerId)),
      );
      saveCheckout(restaurant, null);
    },
    [restaurant],
  );
  const confirm = useCallback(async () => {
    show(await confirmCheckout(restaurant, checkoutId));
    setBegun(null);
  }, [show, restaurant, checkoutId]);
  const open = useCallback(async () => {
    const found = await confirmCheckout(restaurant, checkoutId);
    // Several items have one card. If it was given, or they have ended, there is nothing to resume.
    if (found.items.length > 1 && isUnpaid(found)) {
      try {
        return setBegun(await resumeCheckout(restaurant, checkoutId));
      } catch (failure) {
        if (!(failure instanceof ApiError && failure.code === "conflict")) throw failure;
      }
    }
    show(found);
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
      setProblem(sentence ?? gettext("We couldn't load your orders. Nothing is lost; try again."));
    });
  }, [open]);
  useEffect(begin, [begin]);
  /** Gives the portions back. A checkout that has become an order meanwhile shows its results. */
  const leave = async () => {
    try {
      await leaveCheckout(restaurant, checkoutId);
      saveCheckout(restaurant, null);
      location.assign(`/specials?${restaurantQuery(restaurant)}`);
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
          returnUrl={location.href}
          onBusy={() => undefined}
          onCancel={() => void leave()}
          onConfirmed={confirm}
        />
      );
    }
    if (!state) return <p role="status">{gettext("Checking with your bank…")}</p>;
    if (isRefused(state)) {
      return (
        <ProblemNotice problem={refused()}>
          <p>
            <ButtonLink href={`/specials?${restaurantQuery(restaurant)}`}>
              {gettext("Back to your cart")}
            </ButtonLink>
          </p>
        </ProblemNotice>
      );
    }
    return (
      <Results
        restaurant={restaurant}
        checkoutId={checkoutId}
        processor={processor}
        returnUrl={location.href}
        state={state}
        unpaid={state.items.length === 1 && isUnpaid(state)}
        onDropped={drop}
        onConfirm={confirm}
        onLook={look}
      />
    );
  };
  return (
    <div className="stack rhythm-5">
      <h1>{state && !begun ? resultsTitle(state) : gettext("Your orders")}</h1>
      {content()}
    </div>
  );
}
