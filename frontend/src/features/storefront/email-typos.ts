import { isEmail } from "../../lib/email";
import { gettext, interpolate } from "../../lib/i18n";
import { suggestEmail } from "../../lib/suggest-email";
import { showError } from "./field-errors";
import { EMAIL_FIELD } from "./typo-watch";

const PAUSE_MS = 600;
/** A button that is being pressed stays where it is until it was. */
const PRESS_MS = 300;

/** What stands below each field. */
const places = new WeakMap<HTMLInputElement, HTMLElement>();
const timers = new WeakMap<HTMLInputElement, ReturnType<typeof setTimeout>>();

/** Where the suggestion stands: there before it has words, which are announced when they arrive. */
function placeOf(input: HTMLInputElement): HTMLElement {
  let place = places.get(input);
  if (!place) {
    place = document.createElement("div");
    place.className = "email-typo";
    place.setAttribute("role", "status");
    input.after(place);
    places.set(input, place);
  }
  return place;
}

function accept(input: HTMLInputElement, meant: string): void {
  input.value = meant;
  input.dispatchEvent(new Event("input", { bubbles: true }));
  input.dispatchEvent(new Event("change", { bubbles: true }));
  input.focus();
}

function look(input: HTMLInputElement): void {
  const place = placeOf(input);
  const meant = suggestEmail(input.value);
  if (!meant) {
    place.replaceChildren();
    return;
  }
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = interpolate(gettext("Did you mean %s?"), [meant]);
  button.addEventListener("click", () => accept(input, meant));
  if (place.firstChild?.textContent === button.textContent) return;
  place.replaceChildren(button);
  // Above the bar with the form's own button, unless another field is being filled in.
  const active = document.activeElement;
  if (active === input || !active?.matches("input, select, textarea"))
    button.scrollIntoView({ block: "nearest" });
}

/** Says of what no address can be, in the form's words, that one is required. */
function lookAtForm(input: HTMLInputElement): void {
  const { missing } = input.dataset;
  if (missing && input.value.trim() && !isEmail(input.value)) showError(input, missing);
}

/**
 * An address that looks mistyped (`grace@gmial.con`) is asked about below its field. It can be sent as
 * it is.
 */
export function watchForTypos(): void {
  const on = (type: string, then: (input: HTMLInputElement) => void) =>
    document.addEventListener(type, ({ target }) => {
      if (target instanceof HTMLInputElement && target.matches(EMAIL_FIELD)) then(target);
    });
  const lookIn = (input: HTMLInputElement, wait: number) => {
    clearTimeout(timers.get(input));
    timers.set(
      input,
      setTimeout(() => {
        look(input);
        if (document.activeElement !== input) lookAtForm(input);
      }, wait),
    );
  };
  on("focusin", placeOf);
  // Most press the button right after the last field, so who wasn't asked yet is asked then, once for
  // each address. In the capture phase: before the form's own listeners, and React's.
  const asked = new Set<string>();
  const askOnce = (event: Event): void => {
    if (!(event.target instanceof HTMLFormElement)) return;
    for (const input of event.target.querySelectorAll<HTMLInputElement>(EMAIL_FIELD)) {
      const isShown = placeOf(input).hasChildNodes();
      if (isShown || asked.has(input.value) || !suggestEmail(input.value)) continue;
      asked.add(input.value);
      event.preventDefault();
      event.stopImmediatePropagation();
      look(input);
      const place = placeOf(input);
      const hint = document.createElement("p");
      hint.className = "hint";
      hint.textContent = gettext("If it's right, send it again.");
      place.append(hint);
      place.querySelector("button")?.focus({ preventScroll: true });
      input.closest(".field")?.scrollIntoView({ block: "center" });
    }
  };
  document.addEventListener("submit", askOnce, { capture: true });
  on("focusout", (input) => lookIn(input, PRESS_MS));
  on("input", (input) => {
    clearTimeout(timers.get(input));
    places.get(input)?.replaceChildren();
    if (input.dataset.missing && isEmail(input.value)) showError(input, "");
    // What is still being typed has a short ending.
    if (/@.+\.[^.]{3,}$/.test(input.value)) lookIn(input, PAUSE_MS);
  });
  // Fields that had the focus before this was loaded, and what was typed until now.
  for (const input of document.querySelectorAll<HTMLInputElement>(EMAIL_FIELD)) {
    placeOf(input);
    if (input.value) lookIn(input, PRESS_MS);
  }
}
