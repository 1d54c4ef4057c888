import { useEffect, useRef, useState } from "react";
import { ApiError } from "@/api/client";
import type { CartItemResult, CartResult } from "@/api/types";
import { gettext, interpolate, ngettext } from "@/lib/i18n";
import { formatDecimal } from "@/lib/money";
import { answerBank, loadProcessor, type Processor } from "@/lib/processor";
import { Badge, type BadgeTone } from "@/ui/badge";
import { Button } from "@/ui/button";
import { type Problem, ProblemNotice } from "@/ui/problem-notice";
import { leaveCheckout } from "../api/leave-checkout";
import { retryCartItem } from "../api/retry-cart-item";
import { useOwnOrders } from "../hooks/use-own-orders";
import { notSetUp, refused } from "../lib/problems";
import { CardForm } from "./card-form";
import { Headline } from "./headline";
import { closestToOn, HeldActions, HeldFacts, isHeld, OnArrival, Where } from "./held";
import { Served } from "./served";
import { Thumbnail } from "./thumbnail";

type ItemStatus = CartItemResult["status"];

const isUnsettled = ({ status }: CartItemResult) => status !== "held" && status !== "ended";

/** The heading of the results, wherever they stand. */
export function resultsTitle({ items }: CartResult): string {
  const held = items.filter(isHeld).length;
  if (held === 0 || items.some(isUnsettled)) return gettext("Your orders");
  if (held === 1) return gettext("You're in!");
  return interpolate(ngettext("You're in for %s dish!", "You're in for %s dishes!", held), [held]);
}

/** How often a pending authorization is checked, in milliseconds. */
const LOOK_EVERY = 2000;

interface ResultsProps {
  restaurant: string;
  checkoutId: string;
  processor: Processor;
  returnUrl: string;
  state: CartResult;
  email?: string;
  /** This tab ordered; an address that was passed on isn't the reader's order. */
  isOwn: boolean;
  onBusy?: (busy: boolean) => void;
  /** The guest ordered without these specials. */
  onDropped: (offerIds: string[]) => void;
  /** Reports that a card was confirmed and asks for every item's status. */
  onConfirm: () => Promise<void>;
  /** Asks for every item's status, as far as the server knows. */
  onLook: () => Promise<void>;
}

/** The result of each item; one that was declined, or that the bank asks about, is tried again. */
export function Results(props: ResultsProps) {
  const { state, email, isOwn, onLook } = props;
  const held = state.items.filter(isHeld);
  const unsettled = state.items.filter(isUnsettled);
  const open = state.items.some(({ status }) => status === "open");
  const [asking, setAsking] = useState<{ item: CartItemResult; clientSecret: string } | null>(null);
  const [working, setWorking] = useState(false);
  const asked = state.items.filter(({ status }) => status === "requires_action");
  // While another card is entered for an item, the saved card's bank isn't asked about it.
  const questions = asked.filter((item) => item.preorderId !== asking?.item.preorderId);
  useOwnOrders(state.items, isOwn);
  const look = useRef(onLook);
  look.current = onLook;
  const onBusy = (busy: boolean): void => {
    setWorking(busy);
    props.onBusy?.(busy);
  };

  useEffect(() => {
    if (!open) return;
    const timer = setInterval(() => void look.current().catch(() => undefined), LOOK_EVERY);
    return () => clearInterval(timer);
  }, [open]);

  return (
    <div className="stack rhythm-5">
      <Headline
        held={held}
        unsettled={unsettled.length}
        waiting={open}
        asked={asked.length}
        email={email}
        card={state.card}
      />
      {questions.length > 0 && !open && (
        <BankChecks
          {...props}
          asked={questions}
          onBusy={onBusy}
          onCard={(item, clientSecret) => setAsking({ item, clientSecret })}
        />
      )}
      <ul
        className="cart-results stack list-none p-0"
        aria-label={gettext("Result for each special")}
      >
        {state.items.map((item) => (
          <li key={item.preorderId} className="cart-item">
            <ItemResult
              {...props}
              item={item}
              onBusy={onBusy}
              working={working}
              secret={asking?.item.preorderId === item.preorderId ? asking.clientSecret : null}
              busyElsewhere={asking !== null && asking.item.preorderId !== item.preorderId}
              onCard={(clientSecret) => setAsking(clientSecret ? { item, clientSecret } : null)}
            />
          </li>
        ))}
      </ul>
      {held.length > 0 && unsettled.length > 0 && !open && asking === null && (
        <Drop {...props} unsettled={unsettled} />
      )}
      {held.length > 0 && <Where {...state} />}
      <OnArrival dishes={held.length} notes={state.arrivalNotes} />
    </div>
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

/** Ends what isn't held, so that its portions are free and nobody is emailed about it. */
function Drop({
  unsettled,
  restaurant,
  checkoutId,
  onBusy,
  onDropped,
  onLook,
}: ResultsProps & { unsettled: CartItemResult[] }) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);

  const drop = async (): Promise<void> => {
    setBusy(true);
    onBusy?.(true);
    setProblem(null);
    try {
      await leaveCheckout(restaurant, checkoutId).catch((failure: unknown) => {
        // It says that the rest is ordered, which is why it is called here.
        if (!(failure instanceof ApiError && failure.status === 409)) throw failure;
      });
      onDropped(unsettled.map((item) => item.offerId));
      await onLook();
    } catch {
      setProblem({
        title: gettext("We couldn't change your order"),
        text: gettext("Your holds stay as they are. Try again in a moment."),
      });
    } finally {
      setBusy(false);
      onBusy?.(false);
    }
  };

  return (
    <div className="stack rhythm-3">
      <ProblemNotice problem={problem} />
      <Button className="self-start" busy={busy} onClick={() => void drop()}>
        {unsettled.length === 1
          ? interpolate(gettext("Order without %s"), [unsettled[0]?.name ?? ""])
          : gettext("Order without these specials")}
      </Button>
    </div>
  );
}

interface BankChecksProps extends ResultsProps {
  asked: CartItemResult[];
  /** Another card is needed for this one. */
  onCard: (item: CartItemResult, clientSecret: string) => void;
}

/** The bank's checks of one card, one after the other: each special has its own hold. */
function BankChecks({
  asked,
  restaurant,
  checkoutId,
  processor,
  returnUrl,
  onBusy,
  onConfirm,
  onLook,
  onCard,
}: BankChecksProps) {
  const [at, setAt] = useState<number | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);

  const answerAll = async (): Promise<void> => {
    if (at !== null) return;
    onBusy?.(true);
    setProblem(null);
    try {
      for (const [index, item] of asked.entries()) {
        setAt(index + 1);
        const retry = await retryCartItem(restaurant, checkoutId, item.preorderId);
        if (!retry.savedCard) {
          onCard(item, retry.clientSecret);
          break;
        }
        const stripe = await loadProcessor(processor);
        const { error } = await answerBank(stripe, retry.clientSecret, returnUrl);
        if (error) {
          setProblem(refused(error.message));
          break;
        }
      }
      await onConfirm();
    } catch (failure) {
      const sentence = failure instanceof ApiError ? failure.sentence : undefined;
      setProblem(sentence ? { title: gettext("Payment Error"), text: sentence } : notSetUp());
      await onLook().catch(() => undefined);
    } finally {
      setAt(null);
      onBusy?.(false);
    }
  };

  return (
    <div className="stack rhythm-3">
      <ProblemNotice problem={problem} />
      <Button variant="primary" busy={at !== null} onClick={() => void answerAll()}>
        {at === null || asked.length === 1
          ? gettext("Confirm with your bank")
          : interpolate(gettext("Confirming %s of %s…"), [at, asked.length])}
      </Button>
    </div>
  );
}

interface ItemResultProps extends ResultsProps {
  item: CartItemResult;
  /** The client secret of the hold that a card is being entered for here. */
  secret: string | null;
  busyElsewhere: boolean;
  /** The bank is being asked, about this item or another one. */
  working: boolean;
  onCard: (clientSecret: string | null) => void;
}

function ItemResult({
  item,
  state,
  secret,
  busyElsewhere,
  working,
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

  /**
   * If the bank asks about the saved card, the guest answers it; otherwise they enter another card.
   */
  const retry = async (): Promise<void> => {
    if (busy) return;
    tell(true);
    setProblem(null);
    try {
      const { clientSecret, savedCard } = await retryCartItem(
        restaurant,
        checkoutId,
        item.preorderId,
        // Where the bank asks about the saved card, this button is for another one.
        { anotherCard: item.status === "requires_action" },
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

  const wasHeld = isHeld(item);
  const isSettled = !state.items.some(isUnsettled);
  // The headline says it of all that are.
  const isIn = wasHeld && isSettled;
  const asks = item.status === "requires_action";
  const canRetry = item.status === "declined" || asks;
  return (
    <>
      <div className="cart-dish items-center">
        <Thumbnail url={item.imageUrl} />
        <div>
          <div className="cart-name">
            <h3 ref={title} tabIndex={-1}>
              {item.quantity} × {item.name}
            </h3>
            <p className="font-semibold tabular-nums">{formatDecimal(item.totalAmount)}</p>
          </div>
          {!isIn && <Badge tone={TONES[item.status]}>{word(item.status)}</Badge>}
        </div>
      </div>
      <div>
        <p className={wasHeld ? "small mb-1 font-semibold" : "small muted"}>
          <Served text={item.served} />
        </p>
        {wasHeld && <HeldFacts item={item} />}
      </div>
      {wasHeld && (
        <HeldActions
          item={item}
          invites={isSettled}
          invitesFirst={item === closestToOn(state.items)}
        />
      )}
      {item.message && !wasHeld && <p className="small">{item.message}</p>}
      <ProblemNotice problem={problem} />
      {secret ? (
        <CardForm
          processor={processor}
          clientSecret={secret}
          returnUrl={returnUrl}
          submitLabel={interpolate(gettext("Pre-Order Now · %s"), [
            formatDecimal(item.totalAmount),
          ])}
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
            variant={asks ? "secondary" : "primary"}
            className="self-start"
            busy={busy}
            disabled={busyElsewhere || (working && !busy)}
            onClick={() => void retry()}
          >
            {asks ? gettext("Use another card") : gettext("Try another card")}
            <span className="visually-hidden"> {item.name}</span>
          </Button>
        )
      )}
    </>
  );
}
