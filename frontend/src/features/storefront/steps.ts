import { formatCents } from "../../lib/money";
import { orderSum } from "../../lib/order-sum";
import { clearCorrected } from "./field-errors";
import { followSlots, hasRoom, timeOf } from "./slots";

/** Switches off the button that would lead past a limit of the number field. */
export function drawSteps(place: ParentNode, field: HTMLInputElement): void {
  const count = Math.max(1, Math.floor(field.valueAsNumber) || 1);
  const [fewer, more] = [Number(field.min) || 1, Number(field.max) || Infinity];
  for (const button of place.querySelectorAll<HTMLButtonElement>("[data-step]")) {
    button.disabled = button.dataset.step === "-1" ? count <= fewer : count >= more;
  }
}

/** Shows the field's buttons, `[data-step="1"]` and `[data-step="-1"]`, which are hidden without a script. */
export function startSteps(place: ParentNode, field: HTMLInputElement): void {
  for (const button of place.querySelectorAll<HTMLElement>("[data-step]")) {
    button.hidden = false;
    button.addEventListener("click", () => {
      if (button.dataset.step === "-1") field.stepDown();
      else field.stepUp();
      field.dispatchEvent(new Event("input", { bubbles: true }));
    });
  }
  field.addEventListener("input", () => drawSteps(place, field));
  drawSteps(place, field);
}

/** The total of an order that another number is chosen for, hidden without a script, and what becomes of
 * its hold: `[data-hold=covers]` or `[data-hold=larger]`, and `[data-hold=any]` without a script. */
function showTotal(form: HTMLFormElement, field: HTMLInputElement): void {
  const total = form.querySelector("[data-total]");
  const count = Math.max(1, Math.floor(field.valueAsNumber) || 1);
  const { unitCents, heldCents, taxRate = "0" } = form.dataset;
  if (!total?.parentElement) return;
  const cents = orderSum(Number(unitCents), taxRate, count).total;
  total.textContent = formatCents(cents);
  total.parentElement.hidden = false;
  const shown = form.querySelector<HTMLInputElement>("input[name=shown]");
  const hold = cents > Number(heldCents) ? "larger" : "covers";
  for (const text of form.querySelectorAll<HTMLElement>("[data-hold]")) {
    text.hidden = count === Number(shown?.value) || text.dataset.hold !== hold;
  }
}

/** Names on the button [data-change-to] what the form would change: a number, a time, or both. Until
 * something is, it keeps its own words and is no main button. */
function nameChange(form: HTMLFormElement, field: HTMLInputElement): void {
  const save = form.querySelector<HTMLElement>("[data-change-to]");
  if (!save) return;
  save.dataset.words ??= save.textContent ?? "";
  const stored = (name: string) => form.querySelector<HTMLInputElement>(`[name=${name}]`)?.value;
  const [time] = form.querySelector<HTMLSelectElement>("select")?.selectedOptions ?? [];
  const changes = [
    field.value !== stored("shown") && field.value,
    time && time.value !== stored("shownSlot") && timeOf(time),
  ].filter(Boolean);
  save.textContent = changes.length
    ? `${save.dataset.changeTo} ${changes.join(", ")}`
    : save.dataset.words;
  save.classList.toggle("button-primary", changes.length > 0);
}

/** Forms with a number of portions to choose, and perhaps a time. */
export function startStepForms(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>("form[data-steps]")) {
    const field = form.querySelector<HTMLInputElement>("input[type=number]");
    if (field) {
      startSteps(form, field);
      field.addEventListener("input", () => showTotal(form, field));
      showTotal(form, field);
      followSlots(form, field);
      form.addEventListener("input", () => nameChange(form, field));
      form.addEventListener("submit", (event) => hasRoom(form) || event.preventDefault());
    }
    clearCorrected(form);
  }
}
