import { useEffect, useRef, useState } from "react";
import { ApiError } from "@/api/client";
import type { CartLineResult, CartResult } from "@/api/types";
import { gettext, interpolate, ngettext } from "@/lib/i18n";
import { formatDecimal } from "@/lib/money";
import { Badge, type BadgeTone } from "@/ui/badge";
import { Button, ButtonLink } from "@/ui/button";
import { Notice } from "@/ui/notice";
import { retryLine } from "../api/cart";
import { answerBank, loadProcessor, type Processor } from "../lib/processor";
import { CardForm, notSetUp, refused } from "./card-form";
import { type Problem, Trouble } from "./trouble";

type LineStatus = CartLineResult["status"];

/** How often a hold that is still being asked for is looked at, in milliseconds. */
const LOOK_EVERY = 2000;

interface ResultsProps {
  restaurant: string;
  checkoutId: string;
  processor: Processor;
  returnUrl: string;
  state: CartResult;
  email?: string;
  onBusy?: (busy: boolean) => void;
  /** Says that a card was confirmed, and asks where every line stands. */
  onConfirm: () => Promise<void>;
  /** Asks where every line stands, as far as the server has heard. */
  onLook: () => Promise<void>;
}

/** What became of each line; one that was declined, or that the bank asks about, is tried again. */
export function Results(props: ResultsProps) {
  const { state, email, onLook } = props;
  const held = state.lines.filter(({ status }) => status === "held").length;
  const waiting = state.lines.some(({ status }) => status === "open");
  const [asking, setAsking] = useState<{ line: CartLineResult; clientSecret: string } | null>(null);
  const look = useRef(onLook);
  look.current = onLook;

  useEffect(() => {
    if (!waiting) return;
    const timer = setInterval(() => void look.current().catch(() => undefined), LOOK_EVERY);
    return () => clearInterval(timer);
  }, [waiting]);

  return (
    <div className="stack [--gap:1.25rem]">
      <Headline state={state} held={held} waiting={waiting} email={email} />
      <ul className="stack list-none p-0" aria-label={gettext("Result for each special")}>
        {state.lines.map((line) => (
          <li key={line.preorderId} className="cart-line">
            <LineResult
              {...props}
              line={line}
              secret={asking?.line.preorderId === line.preorderId ? asking.clientSecret : null}
              busyElsewhere={asking !== null && asking.line.preorderId !== line.preorderId}
              onCard={(clientSecret) => setAsking(clientSecret ? { line, clientSecret } : null)}
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
  const all = state.lines.length;
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

const TONES: Record<LineStatus, BadgeTone> = {
  held: "herb",
  declined: "berry",
  requires_action: "honey",
  open: "honey",
  ended: "other",
};

function word(status: LineStatus): string {
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

interface LineResultProps extends ResultsProps {
  line: CartLineResult;
  /** Of the hold a card is being asked for right here. */
  secret: string | null;
  busyElsewhere: boolean;
  onCard: (clientSecret: string | null) => void;
}

function LineResult({
  line,
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
}: LineResultProps) {
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
      const { clientSecret, savedCard } = await retryLine(restaurant, checkoutId, line.preorderId);
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

  const mayRetry = line.status === "declined" || line.status === "requires_action";
  return (
    <>
      <div className="flex items-baseline justify-between gap-4">
        <h3 ref={title} tabIndex={-1} className="min-w-0 break-words">
          {line.quantity} × {line.name}
        </h3>
        <p className="font-semibold tabular-nums">{formatDecimal(line.total)}</p>
      </div>
      <p className="cluster">
        <Badge tone={TONES[line.status]}>{word(line.status)}</Badge>
        {line.status === "held" && (
          <ButtonLink size="small" href={line.orderUrl}>
            {gettext("View order")}
            <span className="visually-hidden"> {line.name}</span>
          </ButtonLink>
        )}
      </p>
      {line.message && line.status !== "held" && <p className="small">{line.message}</p>}
      <Trouble problem={problem} />
      {secret ? (
        <CardForm
          processor={processor}
          clientSecret={secret}
          returnUrl={returnUrl}
          submitLabel={interpolate(gettext("Hold %s"), [formatDecimal(line.total)])}
          cancelLabel={gettext("Cancel")}
          mandate={gettext("We'll place a hold. No charge today.")}
          onBusy={(working) => onBusy?.(working)}
          onCancel={() => onCard(null)}
          onConfirmed={async () => {
            await confirmed();
            onCard(null);
          }}
        />
      ) : (
        mayRetry && (
          <Button
            variant="primary"
            className="self-start"
            busy={busy}
            disabled={busyElsewhere}
            onClick={() => void retry()}
          >
            {line.status === "declined"
              ? gettext("Try another card")
              : gettext("Confirm with your bank")}
            <span className="visually-hidden"> {line.name}</span>
          </Button>
        )
      )}
    </>
  );
}
