import { interpolate, ngettext } from "../../lib/i18n";
import { formatCents } from "../../lib/money";
import { orderSum } from "../../lib/order-sum";
import { timeOf } from "./slots";

/** The form that changes an order's portions or time, `form[data-held-cents]`, says what it would do. */
export function startChangeForm(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>("form[data-held-cents]")) {
    // What the server named, for whoever has no script.
    field(form, "named")?.remove();
    const show = () => {
      showTotal(form);
      showMove(form);
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

const optionsIn = (form: HTMLFormElement) =>
  form.querySelector<HTMLSelectElement>("select[name=slotId]");

/** Says in [data-has-to-move] which time the order gets where its own lacks room for the number. */
function showMove(form: HTMLFormElement): void {
  const notice = form.querySelector<HTMLElement>("[data-has-to-move]");
  const times = optionsIn(form);
  if (!notice || !times) return;
  const own = [...times.options].find((each) => each.value === valueIn(form, "shownSlot"));
  const [chosen] = times.selectedOptions;
  const lacksRoom = Number(own?.dataset.left) < Number(valueIn(form, "quantity"));
  notice.hidden = !lacksRoom || !chosen || chosen === own || !isPossible(form);
  if (notice.hidden || !chosen) return;
  notice.querySelector("[data-move-to]")?.replaceChildren(whole(timeOf(chosen)));
}

/** Names on the button [data-change-to] what would change: a number, a time, or both. Until something
 * does, it can't be pressed. A number that isn't possible leaves it its own words; pressed, it says why. */
function nameChange(form: HTMLFormElement): void {
  const save = form.querySelector<HTMLButtonElement>("[data-change-to]");
  if (!save) return;
  save.dataset.words ??= save.textContent ?? "";
  const { changeTo = "", changeBoth = "", words = "" } = save.dataset;
  const [time] = optionsIn(form)?.selectedOptions ?? [];
  const portions = valueIn(form, "quantity");
  const number = ngettext("%s portion", "%s portions", Number(portions));
  const parts: Record<string, string> = {};
  if (portions && portions !== valueIn(form, "shown"))
    parts["[portions]"] = interpolate(number, [portions]);
  if (time && time.value !== valueIn(form, "shownSlot")) parts["[time]"] = timeOf(time);
  const names = Object.keys(parts);
  const isNamed = names.length > 0 && isPossible(form);
  const text = names.length > 1 ? changeBoth : `${changeTo} ${names[0]}`;
  const named = document.createElement("span");
  for (const part of text.split(/(\[\w+\])/))
    named.append(part in parts ? whole(parts[part] ?? "") : part);
  save.replaceChildren(isNamed ? named : words);
  save.classList.toggle("button-primary", isNamed);
  save.disabled = !names.length;
}
