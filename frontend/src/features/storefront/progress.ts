import type { AllProgress, Progress } from "../../api/types";
import { OFFER_STALE } from "../../lib/cart-store";
import { interpolate, ngettext, pageLanguage } from "../../lib/i18n";
import { orderedWords } from "../../lib/seats";
import { closeOffer, OFFER_CHANGED, tellClosed } from "./countdowns";
import { sayAloud } from "./say-aloud";
import { redrawSeats } from "./seats";
import { drawSteps } from "./steps";
import { showWithYours } from "./with-yours";

const EVERY = 5_000;
const AT_MOST = 5 * 60_000;
const NOT_FOUND = 404;
const FINAL = new Set(["succeeded", "failed"]);
/** From so many portions left on, each one is worth saying aloud. */
const NEARLY_GONE = 3;

function setText(scope: ParentNode, selector: string, text: string): void {
  for (const element of scope.querySelectorAll(selector)) {
    if (element.textContent !== text) element.textContent = text;
  }
}

/** Of the parts that are [when] or [otherwise], shows the ones or the others. */
function showEither(scope: ParentNode, when: string, otherwise: string, applies: boolean): void {
  for (const part of scope.querySelectorAll<HTMLElement>(`[${when}], [${otherwise}]`)) {
    part.hidden = part.hasAttribute(when) !== applies;
  }
}

/** Tells screen readers what has changed, if it matters to somebody who wants to order. */
function announce(offer: HTMLElement, before: string | undefined, progress: Progress): void {
  const { seatsState, portionsLeft, seatsSentence } = progress;
  const left = portionsLeft !== null && portionsLeft <= NEARLY_GONE ? portionsLeft : "";
  const now = `${seatsState} ${seatsState === "on" ? left : ""}`;
  offer.dataset.announced = now;
  if (before === undefined || before === now) return;
  const name = offer.querySelector("h1, h2, h3")?.textContent;
  sayAloud(name ? `${name}: ${seatsSentence}` : seatsSentence);
}

/** The order form takes no more than one order may have now, and says how many that is. If one time
 * has fewer ([data-at-one-time]), it says so already. To change an own order, its portions count, too. */
function limitPortions(offer: HTMLElement, { perOrderLimit, portionsLeft }: Progress): void {
  if (document.getElementById("unfinished")) return;
  let most = perOrderLimit;
  for (const quantity of offer.querySelectorAll<HTMLInputElement>("input[name=quantity]")) {
    most = Math.min(most, Number(quantity.dataset.atOneTime) || most);
    quantity.max = String(most);
    drawSteps(offer, quantity);
  }
  if (portionsLeft !== most) return;
  const left = interpolate(ngettext("%s portion left", "%s portions left", portionsLeft), [
    portionsLeft,
  ]);
  setText(offer, "#quantity-hint", left.charAt(0).toUpperCase() + left.slice(1));
}

/** Writes an offer's progress into its part of the page. */
export function showProgress(offer: HTMLElement, progress: Progress): void {
  const { currentPreorders, minPreordersRequired, seatsState } = progress;
  announce(offer, offer.dataset.announced, progress);
  offer.dataset.seatsState = seatsState;
  let isChanged = false;
  for (const seats of offer.querySelectorAll<HTMLElement>(".seats")) {
    const isRedrawn = redrawSeats(seats, seatsState, {
      filled: currentPreorders,
      minimum: minPreordersRequired,
      maximum: progress.maxPreorders,
      beingOrdered: progress.portionsBeingOrdered,
    });
    isChanged ||= isRedrawn;
  }
  const quantity = offer.querySelector<HTMLInputElement>("input[name=quantity]");
  // The answer right after the deadline may be older than it.
  const isOld = progress.isActive && offer.querySelector("[data-over]");
  setText(offer, "[data-sentence]", isOld ? "" : progress.seatsSentence);
  if (quantity) showWithYours(offer, quantity.valueAsNumber || 1);
  setText(offer, "[data-current]", String(currentPreorders));
  setText(offer, "[data-ordered]", orderedWords(currentPreorders, minPreordersRequired));
  if (progress.perOrderLimit > 0) limitPortions(offer, progress);
  showEither(offer, "data-when-full", "data-when-free", seatsState === "sold_out");
  showEither(offer, "data-if-being-ordered", "data-if-sold", progress.portionsBeingOrdered > 0);
  // A guaranteed special is on without its minimum; the last portions may be in a checkout before.
  const isShort = seatsState !== "on" && currentPreorders < minPreordersRequired;
  showEither(offer, "data-when-short", "data-when-met", isShort);
  if (!progress.isActive) closeOffer(offer);
  for (const part of offer.querySelectorAll<HTMLElement>("[data-while-counting]")) {
    part.hidden = FINAL.has(seatsState);
  }
  if (isChanged) offer.dispatchEvent(new Event(OFFER_CHANGED));
}

/** In a list, an offer that has sold out, or opened up again, has other actions. Most visits never need the
 * script [data-merge] that asks for them (its address is in the page for the reason in typo-watch.ts). */
async function followActions(place: HTMLElement, offer: HTMLElement, progress: Progress) {
  const isFull = progress.seatsState === "sold_out";
  if (!progress.isActive || isFull === offer.hasAttribute("data-full")) return;
  await import(/* @vite-ignore */ place.dataset.merge ?? "");
  offer.dispatchEvent(new Event(OFFER_STALE, { bubbles: true }));
}

/** Shows an answer, of one offer or of all on the page; whether there is nothing left to wait for. */
function showAnswer(place: HTMLElement, answer: Progress | AllProgress): boolean {
  if (!("specials" in answer)) {
    showProgress(place, answer);
    return FINAL.has(answer.seatsState);
  }
  for (const progress of answer.specials) {
    const offer = place.querySelector<HTMLElement>(`[data-special="${progress.id}"]`);
    if (!offer) continue;
    showProgress(offer, progress);
    // Offline for a moment: the next answer tries again.
    followActions(place, offer, progress).catch(() => undefined);
  }
  return false;
}

/**
 * Follows every [data-progress-url] while the page is looked at; slows down while the server does
 * not answer and stops once the outcome is known. The browser asks with the version it has, so an
 * answer with nothing new is a few bytes. Returns a function that asks at once.
 */
export function startProgress(): (offer: Element) => void {
  const askNow = new Map<Element, () => void>();

  for (const place of document.querySelectorAll<HTMLElement>("[data-progress-url]")) {
    const url = place.dataset.progressUrl ?? "";
    let wait = EVERY;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let finished = false;
    let asking = false;

    const ask = async (): Promise<void> => {
      clearTimeout(timer);
      if (finished || asking || document.hidden) return;
      asking = true;
      try {
        const answer = await fetch(url, {
          headers: { Accept: "application/json", "Accept-Language": pageLanguage() },
        });
        if (answer.status === NOT_FOUND) tellClosed(place); // the restaurant withdrew it
        if (!answer.ok) throw new Error(String(answer.status));
        finished = showAnswer(place, await answer.json());
        wait = EVERY;
      } catch {
        wait = Math.min(wait * 2, AT_MOST);
      }
      asking = false;
      if (!finished) later();
    };
    // At slightly different times, so that people who opened a link together don't all ask
    // together.
    const later = () => {
      timer = setTimeout(ask, wait * (0.9 + Math.random() / 5));
    };

    askNow.set(place, ask);
    later();
    document.addEventListener("visibilitychange", ask);
  }

  return (offer) => askNow.get(offer.closest("[data-progress-url]") ?? offer)?.();
}
