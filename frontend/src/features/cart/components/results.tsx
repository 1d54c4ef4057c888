import { useEffect, useRef, useState } from "react";
import { ApiError } from "@/api/client";
import type { CartItemResult, CartResult } from "@/api/types";
import { gettext, interpolate, ngettext } from "@/lib/i18n";
import { formatDecimal } from "@/lib/money";
import { Badge, type BadgeTone } from "@/ui/badge";
import { Button, ButtonLink } from "@/ui/button";
import { Notice } from "@/ui/notice";
import { retryCartItem } from "../api/retry-cart-item";
import { answerBank, loadProcessor, type Processor } from "../lib/processor";
import { CardForm, notSetUp, refused } from "./card-form";
import { type Problem, ProblemNotice } from "./problem-notice";

type ItemStatus = CartItemResult["status"];

/** How often a pending authorization is checked, in milliseconds. */
const LOOK_EVERY = 2000;

interface ResultsProps {
  restaurant: string;
  checkoutId: string;
  processor: Processor;
  returnUrl: string;
  state: CartResult;
  email?: string;
  onBusy?: (busy: boolean) => void;
  /** Reports that a card was confirmed and asks for every item's status. */
  onConfirm: () => Promise<void>;
  /** Asks for every item's status, as far as the server knows. */
  onLook: () => Promise<void>;
}

/** The result of each item; one that was declined, or that the bank asks about, is tried again. */
export function Results(props: ResultsProps) {
  const { state, email, onLook } = props;
  const held = state.items.filter(({ status }) => status === "held").length;
  const waiting = state.items.some(({ status }) => status === "open");
  const [asking, setAsking] = useState<{ item: CartItemResult; clientSecret: string } | null>(null);
  const look = useRef(onLook);
  look.current = onLook;

  useEffect(() => {
    if (!waiting) return;
    const timer = setInterval(() => void look.current().catch(() => undefined), LOOK_EVERY);
    return () => clearInterval(timer);
  }, [waiting]);

  return (
    <div className="stack rhythm-5">
      <Headline state={state} held={held} waiting={waiting} email={email} />
      <ul className="stack list-none p-0" aria-label={gettext("Result for each special")}>
        {state.items.map((item) => (
          <li key={item.preorderId} className="cart-item">
            <ItemResult
              {...props}
              item={item}
              secret={asking?.item.preorderId === item.preorderId ? asking.clientSecret : null}
              busyElsewhere={asking !== null && asking.item.preorderId !== item.preorderId}
              onCard={(clientSecret) => setAsking(clientSecret ? { item, clientSecret } : null)}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}

interface HeadlineProps {
  state: CartResult;
  held: number;
  waiting: boolean;
  email?: string;
}

function Headline({ state, held, waiting, email }: HeadlineProps) {
  const all = state.items.length;
  if (held === all && all > 0) {
    return (
      <Notice tone="herb">
        <div role="status">
          <p>
            <strong>{gettext("Payment Successful!")}</strong>
          </p>
          <p>
            {gettext("No charge yet. You'll pay only for the specials that go ahead.")}{" "}
            {email
              ? interpolate(gettext("We're sending a confirmation email to %s."), [email])
              : gettext("We're sending you a confirmation email.")}
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
  const missing = all - held;
  return (
    <Notice tone={held ? "honey" : "berry"}>
      <div role="status">
        <p>
          <strong>
            {held
              ? interpolate(
                  ngettext(
                    "%s special isn't confirmed yet",
                    "%s specials aren't confirmed yet",
                    missing,
                  ),
                  [missing],
                )
              : gettext("Payment Failed")}
          </strong>
        </p>
        <p>
          {held
            ? gettext(
                "The rest of your order is set. Nothing has been charged. See below for what to do next.",
              )
            : gettext(
                "There is no hold on your card and nothing was charged. See below for what to do next.",
              )}
        </p>
      </div>
    </Notice>
  );
}

const TONES: Record<ItemStatus, BadgeTone> = {
  held: "herb",
  declined: "berry",
  requires_action: "honey",
  open: "honey",
  ended: "other",
};

function word(status: ItemStatus): string {
  switch (status) {
    case "held":
      return gettext("Held");
    case "declined":
      return gettext("Declined");
    case "requires_action":
      return gettext("Confirm with your bank");
    case "open":
      return gettext("Checking with your bank…");
    case "ended":
      return gettext("Not ordered");
  }
}

interface ItemResultProps extends ResultsProps {
  item: CartItemResult;
  /** Of the hold a card is being asked for right here. */
  secret: string | null;
  busyElsewhere: boolean;
  onCard: (clientSecret: string | null) => void;
}

function ItemResult({
  item,
  secret,
  busyElsewhere,
  onCard,
  restaurant,
  checkoutId,
  processor,
  returnUrl,
  onBusy,
  onConfirm,
  onLook,
}: ItemResultProps) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const title = useRef<HTMLHeadingElement>(null);

  const tell = (working: boolean) => {
    setBusy(working);
    onBusy?.(working);
  };

  const confirmed = async (): Promise<void> => {
    await onConfirm();
    title.current?.focus();
  };

  /** A bank that asks about the card there is gets its answer; else a card is asked for. */
  const retry = async (): Promise<void> => {
    if (busy) return;
    tell(true);
    setProblem(null);
    try {
      const { clientSecret, savedCard } = await retryCartItem(
        restaurant,
        checkoutId,
        item.preorderId,
      );
      if (!savedCard) return onCard(clientSecret);
      const stripe = await loadProcessor(processor);
      const { error } = await answerBank(stripe, clientSecret, returnUrl);
      if (error) setProblem(refused(error.message));
      await confirmed();
    } catch (failure) {
      const sentence = failure instanceof ApiError ? failure.sentence : undefined;
      setProblem(sentence ? { title: gettext("Payment Error"), text: sentence } : notSetUp());
      await onLook().catch(() => undefined);
    } finally {
      tell(false);
    }
  };

  const canRetry = item.status === "declined" || item.status === "requires_action";
  return (
    <>
      <div className="flex items-baseline justify-between gap-4">
        <h3 ref={title} tabIndex={-1} className="min-w-0 break-words">
          {item.quantity} × {item.name}
        </h3>
        <p className="font-semibold tabular-nums">{formatDecimal(item.totalAmount)}</p>
      </div>
      <p className="cluster">
        <Badge tone={TONES[item.status]}>{word(item.status)}</Badge>
        {item.status === "held" && (
          <ButtonLink size="small" href={item.orderUrl}>
            {gettext("View order")}
            <span className="visually-hidden"> {item.name}</span>
          </ButtonLink>
        )}
      </p>
      {item.message && item.status !== "held" && <p className="small">{item.message}</p>}
      <ProblemNotice problem={problem} />
      {secret ? (
        <CardForm
          processor={processor}
          clientSecret={secret}
          returnUrl={returnUrl}
          submitLabel={interpolate(gettext("Hold %s"), [formatDecimal(item.totalAmount)])}
          cancelLabel={gettext("Cancel")}
          mandate={item.cardTerms}
          onBusy={(working) => onBusy?.(working)}
          onCancel={() => onCard(null)}
          onConfirmed={async () => {
            await confirmed();
            onCard(null);
          }}
        />
      ) : (
        canRetry && (
          <Button
            variant="primary"
            className="self-start"
            busy={busy}
            disabled={busyElsewhere}
            onClick={() => void retry()}
          >
            {item.status === "declined"
              ? gettext("Try another card")
              : gettext("Confirm with your bank")}
            <span className="visually-hidden"> {item.name}</span>
          </Button>
        )
      )}
    </>
  );
}
