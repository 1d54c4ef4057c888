import { OFFER_CLOSED } from "./countdowns";

/** Long enough for a bank's check; after that, the guest reloads the page or reads our email. */
const AT_MOST = 10 * 60_000;

type Load = (address: string) => void;
const go: Load = (address) => location.replace(address);

/** What the page says about its order, and until when its special takes orders: a restaurant may have
 * moved the deadline. */
function stateOf(page: Document): string {
  const outcome = page.querySelector("[data-outcome]")?.textContent?.trim();
  const deadline = page.querySelector<HTMLElement>("[data-look-once-closed] [data-countdown]");
  return `${outcome} ${deadline?.dataset.countdown}`;
}

/** Whether a form in it is open or being filled in, which loading the page again would close. */
export function isInUse(place: ParentNode): boolean {
  if (place.querySelector("dialog[open]")) return true;
  return [...place.querySelectorAll("form")].some((form) => {
    if (form.closest("details")) return !form.closest("details:not([open])");
    return [...form.querySelectorAll<HTMLInputElement>("input, textarea")].some(
      (field) => field === document.activeElement || field.value !== field.defaultValue,
    );
  });
}

/**
 * Asks every few seconds whether what the page says has changed, and loads the page again when it
 * has. Until then, nothing moves under the reader: WCAG 2.2.1 forbids pages that refresh by a
 * timer, https://www.w3.org/WAI/WCAG22/Techniques/failures/F41
 */
function lookAgain({ dataset }: HTMLElement, seconds: number, load: Load): void {
  const every = seconds * 1000;
  const address = dataset.address || location.pathname + location.search;
  const before = stateOf(document);
  let left = AT_MOST / every;
  let isLeaving = false;
  const look = async (): Promise<void> => {
    try {
      if (isLeaving || document.hidden || isInUse(document)) return later();
      if (left-- <= 0) return;
      const response = await fetch(address, { headers: { Accept: "text/html" } });
      if (!response.ok) return later();
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      if (stateOf(page) === before) return later();
      if (isLeaving || isInUse(document)) return later();
      load(address);
    } catch {
      later(); // offline for a moment
    }
  };
  const later = () => void setTimeout(look, every);
  document.addEventListener("submit", () => {
    isLeaving = true;
  });
  later();
}

/** Follows an order whose page changes by itself: [data-look-again], in seconds. */
export function startOutcome(load: Load = go): void {
  const place = document.querySelector<HTMLElement>("[data-look-again]");
  if (place) lookAgain(place, Number(place.dataset.lookAgain), load);
}

/**
 * Follows an order that is open ([data-look-once-closed]) from the moment its special takes no more
 * orders: what was true only until then is hidden at once, except a form that is open, and the page
 * is loaded again when the server says so, too. A device whose clock is fast loads nothing too early.
 */
export function startClosing(load: Load = go): void {
  const place = document.querySelector<HTMLElement>("[data-look-once-closed]");
  place?.addEventListener(
    OFFER_CLOSED,
    () => {
      for (const part of document.querySelectorAll<HTMLElement>("[data-when-closed]")) {
        part.hidden = false;
      }
      for (const part of document.querySelectorAll<HTMLElement>("[data-while-open]")) {
        part.hidden = !(part.matches("[open]") || isInUse(part));
      }
      lookAgain(place, Number(place.dataset.lookOnceClosed), load);
    },
    { once: true },
  );
}
