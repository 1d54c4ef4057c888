import { clearCorrected, nothingMissing } from "./field-errors";
import { followSlots, hasRoom } from "./slots";

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
  // Nothing, zero, or part of a portion becomes the next number that there is. Too many is refused,
  // with the most that can be ordered.
  field.addEventListener("change", () => {
    const { valid, rangeOverflow } = field.validity;
    if (valid || rangeOverflow) return;
    field.value = String(Math.max(Number(field.min), Math.floor(field.valueAsNumber) || 1));
    field.dispatchEvent(new Event("input", { bubbles: true }));
  });
  drawSteps(place, field);
}

/** Forms with a number of portions to choose, and perhaps a time; or with fields that can't be empty. */
export function startStepForms(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>("form[data-steps]")) {
    const field = form.querySelector<HTMLInputElement>("input[type=number]");
    if (field) {
      startSteps(form, field);
      followSlots(form, field);
    }
    form.addEventListener("submit", (event) => {
      if (!hasRoom(form) || !nothingMissing(form)) event.preventDefault();
    });
    clearCorrected(form);
  }
}
