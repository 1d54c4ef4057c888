import { formatTimeLeft, NEAR_DEADLINE, nextTick } from "../../lib/countdown";
import { gettext } from "../../lib/i18n";

/** What an offer's element hears each time something says that it takes no more orders. */
export const OFFER_CLOSED = "offer-closed";
/** What it hears when its progress isn't what the page showed. */
export const OFFER_CHANGED = "offer-changed";

/** Tells whoever listens that the offer takes no more orders. */
export function tellClosed(offer: EventTarget): void {
  offer.dispatchEvent(new CustomEvent(OFFER_CLOSED, { bubbles: true }));
}

/** Switches off an offer's pre-order links and buttons, and its badge; a link loses its target. */
export function closeOffer(offer: ParentNode): void {
  for (const action of offer.querySelectorAll<HTMLElement>("[data-preorder]")) {
    action.textContent = gettext("Offer Expired");
    action.setAttribute("aria-disabled", "true");
    if (action instanceof HTMLButtonElement) action.disabled = true;
    else action.removeAttribute("href");
  }
  for (const part of offer.querySelectorAll<HTMLElement>("[data-while-open], [data-when-closed]")) {
    part.hidden = part.hasAttribute("data-while-open");
  }
  for (const add of offer.querySelectorAll<HTMLElement>("[data-add-to-cart]")) add.hidden = true;
  for (const badge of offer.querySelectorAll<HTMLElement>("[data-badge]")) {
    badge.textContent = gettext("Expired");
    badge.className = "badge";
  }
  tellClosed(offer);
}

/**
 * Keeps every [data-countdown] current.
 * `onZero` hears the offer whose deadline passed while the page was open.
 */
export function startCountdowns(onZero: (offer: Element) => void): void {
  let timer: ReturnType<typeof setTimeout> | undefined;

  function refresh(): void {
    clearTimeout(timer);
    let wait = Number.POSITIVE_INFINITY;
    // Looked for each time: a part of the page may have been replaced.
    for (const element of document.querySelectorAll<HTMLElement>("[data-countdown]")) {
      const deadline = Date.parse(element.dataset.countdown ?? "");
      if (Number.isNaN(deadline)) continue;
      const left = deadline - Date.now();
      const text = formatTimeLeft(left);
      if (element.textContent !== text) element.textContent = text;
      element.toggleAttribute("data-near", left > 0 && left <= NEAR_DEADLINE);
      if (left <= 0 && !element.hasAttribute("data-over")) {
        element.setAttribute("data-over", "");
        const offer = element.closest("[data-offer]");
        if (offer) {
          closeOffer(offer);
          onZero(offer);
        }
      }
      wait = Math.min(wait, nextTick(left));
    }
    if (Number.isFinite(wait)) timer = setTimeout(refresh, wait);
  }

  refresh();
  // A sleeping device skips ticks: be right the moment it is looked at again.
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) refresh();
  });
}
