import type { Progress } from "../../api/types";
import { closeOffer } from "./countdowns";
import { redrawSeats } from "./seats";

const EVERY = 10_000;
const AT_MOST = 5 * 60_000;
const FINAL = new Set(["succeeded", "failed"]);

function setText(scope: ParentNode, selector: string, text: string): void {
  for (const element of scope.querySelectorAll(selector)) {
    if (element.textContent !== text) element.textContent = text;
  }
}

/** Writes an offer's progress into its part of the page. */
export function showProgress(offer: HTMLElement, progress: Progress): void {
  const { currentPreorders, minPreordersRequired, portionsLeft } = progress;
  offer.dataset.seatsState = progress.seatsState;
  for (const seats of offer.querySelectorAll<HTMLElement>(".seats")) {
    redrawSeats(seats, progress.seatsState, {
      filled: currentPreorders,
      minimum: minPreordersRequired,
      maximum: progress.maxPreorders,
    });
  }
  setText(offer, "[data-sentence]", progress.seatsSentence);
  setText(offer, "[data-current]", String(currentPreorders));
  setText(offer, "[data-needed]", String(Math.max(0, minPreordersRequired - currentPreorders)));
  if (portionsLeft !== null) setText(offer, "[data-left]", String(portionsLeft));
  for (const quantity of offer.querySelectorAll<HTMLInputElement>("input[name=quantity]")) {
    if (progress.perOrderLimit > 0) quantity.max = String(progress.perOrderLimit);
  }
  if (!progress.isActive) closeOffer(offer);
}

/**
 * Follows every [data-progress-url] while the page is visible; slows down while the server does
 * not answer and stops once the outcome is known. Returns a function that asks at once.
 */
export function startProgress(): (offer: Element) => void {
  const askNow = new Map<Element, () => void>();

  for (const offer of document.querySelectorAll<HTMLElement>("[data-progress-url]")) {
    const url = offer.dataset.progressUrl ?? "";
    let wait = EVERY;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let finished = false;
    let asking = false;

    const ask = async (): Promise<void> => {
      clearTimeout(timer);
      if (finished || asking || document.hidden) return;
      asking = true;
      try {
        const answer = await fetch(url, { headers: { Accept: "application/json" } });
        if (!answer.ok) throw new Error(String(answer.status));
        const progress = (await answer.json()) as Progress;
        showProgress(offer, progress);
        finished = FINAL.has(progress.seatsState);
        wait = EVERY;
      } catch {
        wait = Math.min(wait * 2, AT_MOST);
      }
      asking = false;
      if (!finished) timer = setTimeout(ask, wait);
    };

    askNow.set(offer, ask);
    timer = setTimeout(ask, wait);
    document.addEventListener("visibilitychange", ask);
  }

  return (offer) => askNow.get(offer)?.();
}
