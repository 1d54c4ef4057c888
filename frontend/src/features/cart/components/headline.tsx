import type { CartItemResult } from "@/api/types";
import { gettext, interpolate, ngettext } from "@/lib/i18n";
import { Notice } from "@/ui/notice";
import { heldFor } from "../lib/totals";
import { BreaksAtSign } from "./breaks-at-sign";
import { isHeldShort } from "./held";

interface HeadlineProps {
  held: CartItemResult[];
  /** How many are neither held nor ended. */
  unsettled: number;
  waiting: boolean;
  /** How many the bank wants to confirm. */
  asked: number;
  email?: string;
  /** Which card is held; empty if it isn't known. */
  card?: string;
}

/** The result of the cart as a whole. */
export function Headline({ held, unsettled, waiting, asked, email, card }: HeadlineProps) {
  if (held.length > 0 && unsettled === 0) {
    return (
      <Notice tone="herb">
        <div role="status">
          <p>
            <span className="visually-hidden" aria-hidden="true">
              {gettext("Payment Successful!")}
            </span>{" "}
            <strong>{gettext("No charge yet.")}</strong>{" "}
            {interpolate(
              held.some(isHeldShort)
                ? ngettext(
                    "Your bank is holding %s on your card, and you'll pay only if it goes ahead.",
                    "Your bank is holding %s on your card, and you'll pay only for what's cooked.",
                    held.length,
                  )
                : gettext("Your bank is holding %s on your card."),
              [heldFor(held)],
            )}
          </p>
          <p className="small mt-1">
            {ngettext(
              "You can change or cancel it for free until it's charged.",
              "You can change or cancel each for free until it's charged.",
              held.length,
            )}
          </p>
          {card && (
            <p className="small mt-1">
              {gettext("Card")}: {card}
            </p>
          )}
          <p className="small mt-1 text-wrap break-words">
            <BreaksAtSign
              text={
                email
                  ? interpolate(gettext("We're sending a confirmation email to %s."), [email])
                  : gettext("We're sending you a confirmation email.")
              }
            />{" "}
            {email && (
              <a className="whitespace-nowrap" href={`${held[0]?.orderUrl}#email-fold`}>
                {gettext("Wrong email?")}
              </a>
            )}
          </p>
        </div>
      </Notice>
    );
  }
  if (waiting) {
    return (
      <Notice>
        <p role="status">
          {gettext(
            "We're checking with your bank. This takes a few seconds; you can close this page.",
          )}
        </p>
      </Notice>
    );
  }
  if (asked > 0) {
    return (
      <Notice tone="honey">
        <div role="status">
          <p>
            <strong>{gettext("One more step")}</strong>
          </p>
          <p>
            {ngettext(
              "Your bank wants you to confirm %s dish. Nothing has been charged.",
              "Your bank wants you to confirm each of %s dishes. Nothing has been charged.",
              asked,
            ).replace("%s", String(asked))}{" "}
            {held.length > 0 &&
              interpolate(gettext("Your bank is holding %s for the rest of your order."), [
                heldFor(held),
              ])}
          </p>
        </div>
      </Notice>
    );
  }
  return (
    <Notice tone={held.length > 0 ? "honey" : "berry"}>
      <div role="status">
        <p>
          <strong>
            {held.length > 0
              ? interpolate(
                  ngettext(
                    "%s special isn't confirmed yet",
                    "%s specials aren't confirmed yet",
                    unsettled,
                  ),
                  [unsettled],
                )
              : gettext("Payment Failed")}
          </strong>
        </p>
        <p>
          {held.length > 0
            ? `${interpolate(gettext("Your bank is holding %s for the rest of your order."), [heldFor(held)])} ${gettext("Nothing has been charged. See below for what to do next.")}`
            : gettext(
                "There is no hold on your card and nothing was charged. See below for what to do next.",
              )}
        </p>
      </div>
    </Notice>
  );
}
