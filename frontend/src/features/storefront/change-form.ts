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
    show();
  }
}

const valueIn = (form: HTMLFormElement, name: string) =>
  form.querySelector<HTMLInputElement>(`[name=${name}]`)?.value;

/** The total of the number that is chosen, hidden without a script, and what becomes of the hold:
 * `[data-hold=covers]` or `[data-hold=larger]`, and `[data-hold=any]` without a script. */
function showTotal(form: HTMLFormElement): void {
  const total = form.querySelector("[data-total]");
  if (!total?.parentElement) return;
  const count = Math.max(1, Math.floor(Number(valueIn(form, "quantity"))) || 1);
  const { unitCents, heldCents, taxRate = "0" } = form.dataset;
  const cents = orderSum(Number(unitCents), taxRate, count).total;
  total.textContent = formatCents(cents);
  total.parentElement.hidden = false;
  const hold = cents > Number(heldCents) ? "larger" : "covers";
  for (const text of form.querySelectorAll<HTMLElement>("[data-hold]")) {
    text.hidden = count === Number(valueIn(form, "shown")) || text.dataset.hold !== hold;
  }
}

/** Names on the button [data-change-to] what would change: a number, a time, or both. Until something
 * does, it keeps its own words and is no main button. */
function nameChange(form: HTMLFormElement): void {
  const save = form.querySelector<HTMLElement>("[data-change-to]");
  if (!save) return;
  save.dataset.words ??= save.textContent ?? "";
  const [time] = form.querySelector<HTMLSelectElement>("select")?.selectedOptions ?? [];
  const portions = valueIn(form, "quantity");
  const changes = [
    portions !== valueIn(form, "shown") && portions,
    time && time.value !== valueIn(form, "shownSlot") && timeOf(time),
  ].filter(Boolean);
  save.textContent = changes.length
    ? `${save.dataset.changeTo} ${changes.join(", ")}`
    : save.dataset.words;
  save.classList.toggle("button-primary", changes.length > 0);
}
