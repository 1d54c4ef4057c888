import { useCallback, useEffect, useMemo, useState } from "react";
import { ApiError } from "@/api/client";
import type { CartResult } from "@/api/types";
import { readCart, saveCart } from "@/lib/cart-store";
import { gettext } from "@/lib/i18n";
import { Button, ButtonLink } from "@/ui/button";
import { Notice } from "@/ui/notice";
import { ProblemNotice } from "@/ui/problem-notice";
import { confirmCheckout } from "../api/confirm-checkout";
import { getCheckout } from "../api/get-checkout";
import { restaurantQuery } from "../lib/checkout-path";
import { saveCheckout } from "../lib/saved-checkout";
import { refused } from "./card-form";
import { Results } from "./results";

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
 * `redirect_status` to the address. Several items have one card, which their own tab asks for.
 */
function isUnpaid({ items }: CartResult): boolean {
  return items.length === 1 && !new URLSearchParams(location.search).has("redirect_status");
}

/** The page after a bank's full-page check: the result of each item. */
export function CartReturn({
  restaurant,
  checkoutId,
  publishableKey,
  cardScriptUrl,
}: CartReturnProps) {
  const [state, setState] = useState<CartResult | null>(null);
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
  const confirm = useCallback(
    async () => show(await confirmCheckout(restaurant, checkoutId)),
    [show, restaurant, checkoutId],
  );
  const drop = (offerIds: string[]): void => {
    const left = readCart(restaurant).filter(({ offerId }) => !offerIds.includes(offerId));
    saveCart(restaurant, left);
  };
  const look = async () => show(await getCheckout(restaurant, checkoutId));

  const begin = useCallback(() => {
    setProblem(null);
    confirm().catch((failure: unknown) => {
      const sentence = failure instanceof ApiError ? failure.sentence : undefined;
      setProblem(sentence ?? gettext("We couldn't load your orders. Nothing is lost; try again."));
    });
  }, [confirm]);
  useEffect(begin, [begin]);

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
      unpaid={isUnpaid(state)}
      onDropped={drop}
      onConfirm={confirm}
      onLook={look}
    />
  );
}
