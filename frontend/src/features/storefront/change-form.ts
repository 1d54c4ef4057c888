import { interpolate, ngettext } from "../../lib/i18n";
import { formatCents } from "../../lib/money";
import { orderSum } from "../../lib/order-sum";
import { timeOf } from "./slots";

/** The form that changes an order's portions or time, `form[data-held-cents]`, says what it would do. */
export function startChangeForm(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>("form[data-held-cents]")) {
    const show = () => {
      showTotal(form);
      nameChange(form);
    };
    form.addEventListener("input", show);
    addEventListener("pageshow", show); // a browser may have put back what was typed
    show();
  }
}

const field = (form: HTMLFormElement, name: string) =>
  form.querySelector<HTMLInputElement>(`[name=${name}]`);

const valueIn = (form: HTMLFormElement, name: string) => field(form, name)?.value;

/** Whether the number of portions is one that can be ordered. */
const isPossible = (form: HTMLFormElement) => field(form, "quantity")?.validity.valid !== false;

/** The total of the number that is chosen, and what becomes of the hold: `[data-hold=covers]` or
 * `[data-hold=larger]`, and `[data-hold=any]` without a script. Without one the total is hidden, and so
 * is all of it where the number isn't possible. */
function showTotal(form: HTMLFormElement): void {
  const total = form.querySelector("[data-total]");
  if (!total?.parentElement) return;
  const count = Math.max(1, Math.floor(Number(valueIn(form, "quantity"))) || 1);
  const { unitCents, heldCents, taxRate = "0" } = form.dataset;
  const cents = orderSum(Number(unitCents), taxRate, count).total;
  total.textContent = formatCents(cents);
  total.parentElement.hidden = !isPossible(form);
  const hold = cents > Number(heldCents) ? "larger" : "covers";
  for (const text of form.querySelectorAll<HTMLElement>("[data-hold]")) {
    text.hidden =
      !isPossible(form) || count === Number(valueIn(form, "shown")) || text.dataset.hold !== hold;
  }
}

/** `5:30–6:00 PM` without a break at its dash. */
function whole(textContent: string): HTMLElement {
  return Object.assign(document.createElement("span"), {
    className: "whitespace-nowrap",
    textContent,
  });
}

/** Names on the button [data-change-to] what would change: a number, a time, or both. Until something
 * does, it can't be pressed. A number that isn't possible leaves it its own words; pressed, it says why. */
function nameChange(form: HTMLFormElement): void {
  const save = form.querySelector<HTMLButtonElement>("[data-change-to]");
  if (!save) return;
  save.dataset.words ??= save.textContent ?? "";
  const [time] = form.querySelector<HTMLSelectElement>("select")?.selectedOptions ?? [];
  const portions = valueIn(form, "quantity");
  const number = ngettext("%s portion", "%s portions", Number(portions));
  const changes = [
    portions && portions !== valueIn(form, "shown") && interpolate(number, [portions]),
    time && time.value !== valueIn(form, "shownSlot") && timeOf(time),
  ].filter((change) => typeof change === "string");
  const isNamed = changes.length > 0 && isPossible(form);
  const parts = changes.flatMap((change, index) => [index ? ", " : " ", whole(change)]);
  const named = document.createElement("span");
  named.append(save.dataset.changeTo ?? "", ...parts);
  save.replaceChildren(isNamed ? named : save.dataset.words);
  save.classList.toggle("button-primary", isNamed);
  save.disabled = !changes.length;
}
