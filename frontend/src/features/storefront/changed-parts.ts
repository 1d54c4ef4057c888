import { OFFER_CHANGED } from "./countdowns";
import { isInUse } from "./outcome";

/** Several portions that are ordered together are one change. */
const SETTLED_AFTER = 400;
/** How soon a part that was in use is tried again. */
const FREE_AFTER = 2_000;

/** Whether the reader is about to send a form in it. */
function isBusy(part: Element): boolean {
  const form = document.activeElement?.closest("form");
  return Boolean(form && part.contains(form)) || isInUse(part);
}

/** Writes the parts of a newer page into this one; whether all are, because none was in use. */
async function mergeParts(page: Document): Promise<boolean> {
  // Most pages never need it.
  const { mergeElement } = await import("../../lib/merge-dom");
  let isDone = true;
  for (const part of document.querySelectorAll<HTMLElement>("[data-part]")) {
    const fresh = page.querySelector(`[data-part="${part.dataset.part}"]`);
    if (!fresh || part.isEqualNode(fresh)) continue;
    if (isBusy(part)) isDone = false;
    else mergeElement(part, fresh);
  }
  return isDone;
}

/**
 * An open order's page says more about its special than the seats do: who is in, and what happens to
 * the card. When the special's progress has changed, the page is asked for once, and every [data-part]
 * that reads otherwise takes the server's words, unless a form in it is in use: then, later.
 */
export function startChangedParts(): void {
  const place = document.querySelector<HTMLElement>("[data-look-once-closed]");
  if (!place) return;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isLeaving = false;
  let asked = 0;

  const wait = (step: () => void, time: number): void => {
    clearTimeout(timer);
    timer = setTimeout(step, time);
  };
  const merge = async (page: Document): Promise<void> => {
    if (!isLeaving && !(await mergeParts(page))) wait(() => merge(page), FREE_AFTER);
  };
  const ask = async (): Promise<void> => {
    const address = place.dataset.address || location.pathname + location.search;
    const turn = ++asked;
    try {
      const response = await fetch(address, { headers: { Accept: "text/html" } });
      if (!response.ok) return;
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      // Once orders close, the whole page is loaded again (`startClosing`).
      if (turn === asked && page.querySelector("[data-look-once-closed]")) await merge(page);
    } catch {
      // Offline for a moment: the next change asks again.
    }
  };

  place.addEventListener(OFFER_CHANGED, () => wait(ask, SETTLED_AFTER));
  document.addEventListener("submit", () => {
    isLeaving = true;
  });
}
