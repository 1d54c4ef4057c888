import { centsToDecimal, formatCents } from "../../lib/money";
import { orderSum } from "../../lib/order-sum";
import { forgetSent, noteSent, pageOf, seeOwnOrder } from "../../lib/sent-order";
import { clearCorrected, nothingMissing } from "./field-errors";
import { watchNote } from "./note-warnings";
import { followSlots, hasRoom } from "./slots";
import { drawSteps, startSteps } from "./steps";
import { showWithYours } from "./with-yours";

function showSum(form: HTMLFormElement, quantity: HTMLInputElement): void {
  const count = Math.max(1, Math.floor(quantity.valueAsNumber) || 1);
  const { unitCents, alternativeCents, taxRate = "0" } = form.dataset;
  const sum = orderSum(Number(unitCents), taxRate, count);
  const page = form.closest("[data-offer]") ?? document;
  const alternative = orderSum(Number(alternativeCents), taxRate, count).total;
  for (const [name, cents] of Object.entries({ ...sum, alternative })) {
    for (const output of page.querySelectorAll(`[data-${name}]`)) {
      output.textContent = formatCents(cents);
    }
  }
  for (const output of page.querySelectorAll("[data-portions]")) output.textContent = String(count);
  drawSteps(page, quantity);
  showWithYours(page, count);
  const sent = form.querySelector<HTMLInputElement>("input[name=totalAmount]");
  if (sent) sent.value = centsToDecimal(sum.total);
}

const idle = new WeakMap<HTMLElement, Node[]>();

function setBusy(form: HTMLFormElement, busy: boolean): void {
  form.toggleAttribute("data-sending", busy);
  const button = form.querySelector<HTMLButtonElement>("button[data-busy]");
  if (!button) return;
  // Its own nodes come back, because the total among them is kept current.
  const own = idle.get(button) ?? [...button.childNodes];
  idle.set(button, own);
  button.replaceChildren(...(busy && button.dataset.busy ? [button.dataset.busy] : own));
  button.setAttribute("aria-busy", String(busy));
}

/** Send the form again by itself once the server can take it, unless the guest changes something. */
function sendAgainLater(form: HTMLFormElement): void {
  const seconds = Number(form.dataset.retryAfter);
  if (!seconds) return;
  const timer = setTimeout(() => form.requestSubmit(), seconds * 1000);
  form.addEventListener("input", () => clearTimeout(timer), { once: true });
  form.addEventListener("submit", () => clearTimeout(timer), { once: true });
}

const DRAFTED = [
  "quantity",
  "customerName",
  "customerEmail",
  "customerPhone",
  "serviceMode",
  "slotId",
  "note",
  "showFirstName",
];

/** Keeps what was typed in this tab, for a reload and for the way back from the checkout. */
function keepDraft(form: HTMLFormElement): void {
  const key = `order-draft:${new URL(form.action).pathname}`;
  // Radio buttons are one field, whose value is that of the checked one.
  const field = (name: string) => {
    const found = form.elements.namedItem(name) as HTMLInputElement | RadioNodeList | null;
    return found && "type" in found && found.type === "hidden" ? null : found;
  };
  try {
    const draft = JSON.parse(sessionStorage.getItem(key) ?? "{}");
    // What the server filled in, for example after an error, is newer.
    if (!field("customerName")?.value && !field("customerEmail")?.value) {
      for (const name of DRAFTED) {
        const input = field(name);
        if (!input || typeof draft[name] !== "string" || !draft[name]) continue;
        input.value = draft[name];
        if (input instanceof HTMLElement) input.closest("details")?.setAttribute("open", "");
        if (input instanceof HTMLSelectElement) input.dataset.chosen = "";
      }
    }
    form.addEventListener("input", () => {
      const typed = DRAFTED.map((name) => {
        const input = field(name);
        // A time that the guest didn't choose is chosen again for the number of portions.
        const isOurs = input instanceof HTMLSelectElement && !("chosen" in input.dataset);
        return [name, (!isOurs && input?.value) || ""];
      });
      sessionStorage.setItem(key, JSON.stringify(Object.fromEntries(typed)));
    });
  } catch {
    // Storage is off: nothing is kept.
  }
}

/**
 * The answer with what is wrong with a form has the address that the form was posted to. Coming back to
 * it, the browser would want to post again and show an error of its own; so its place in the history
 * becomes the page that the form is on. https://developer.mozilla.org/en-US/docs/Web/API/History/replaceState
 */
function leaveThePost(form: HTMLFormElement): void {
  if (location.pathname !== new URL(form.action).pathname) return;
  forgetSent(form.dataset.orderForm);
  history.replaceState(history.state, "", pageOf(form) + location.search + location.hash);
}

/** A page that comes back from the browser's memory may name an order that has ended meanwhile. */
export function askAgainForUnfinished(reload = () => location.reload()): void {
  if (!document.getElementById("unfinished")) return;
  addEventListener("pageshow", ({ persisted }) => persisted && reload());
}

/** Live total, quantity steps, and one submission at a time. */
export function startOrderForms(): void {
  askAgainForUnfinished();
  for (const form of document.querySelectorAll<HTMLFormElement>("[data-order-form]")) {
    const quantity = form.querySelector<HTMLInputElement>("input[name=quantity]");
    leaveThePost(form);
    seeOwnOrder(form);
    keepDraft(form);
    watchNote(form);
    clearCorrected(form);
    const look = quantity ? followSlots(form, quantity) : () => {};
    if (quantity) {
      quantity.addEventListener("input", () => showSum(form, quantity));
      const page = form.closest("[data-offer]") ?? document;
      for (const part of page.querySelectorAll<HTMLElement>("[data-bar-stepper]"))
        part.hidden = false;
      startSteps(page, quantity);
      showSum(form, quantity);
    }
    sendAgainLater(form);
    form.addEventListener("submit", (event) => {
      if (form.hasAttribute("data-sending")) return event.preventDefault();
      // All that is wrong is said at once; the focus ends at the number, which comes first.
      const isFilledIn = nothingMissing(form);
      if (!hasRoom(form) || !isFilledIn) return event.preventDefault();
      // With a script, the card is given on our own page, else on the payment provider's.
      form.querySelector("input[name=card]")?.removeAttribute("disabled");
      setBusy(form, true);
      noteSent(form);
    });
    // Coming back from the checkout with the browser's own button must not find a locked form.
    addEventListener("pageshow", (event) => {
      if (event.persisted) {
        setBusy(form, false);
        seeOwnOrder(form);
      }
      // The browser fills the form in again after the scripts have run.
      if (quantity) showSum(form, quantity);
      look();
    });
  }
}
