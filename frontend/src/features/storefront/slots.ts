import { showError } from "./field-errors";

const portionsIn = (quantity: HTMLInputElement) =>
  Math.max(1, Math.floor(quantity.valueAsNumber) || 1);

/** An option's time without how many are left there. */
export const timeOf = (option: HTMLOptionElement) => option.text.split("(")[0]?.trim() ?? "";

/** Says what is wrong with a field, to the guest and to whoever asks the form if it is valid. */
function refuse(field: HTMLInputElement | HTMLSelectElement, text: string): void {
  // What the server said stays until something changes.
  if (!text && !field.validity.customError) return;
  field.setCustomValidity(text);
  showError(field, text);
}

/**
 * Makes the times of an order form follow its number of portions: an option says with [data-left] how
 * many it has, without a limit it has none, and with [data-short] what to say if that isn't enough. A
 * time that doesn't fit gives way to the first that does, which [data-moved] says, until it fits again,
 * unless the guest chose it, which [data-chosen] says; then
 * [data-take-time] offers the one that fits. Returns a function that looks again.
 */
export function followSlots(form: HTMLFormElement, quantity: HTMLInputElement): () => void {
  const select = form.querySelector<HTMLSelectElement>("select[name=slotId]");
  if (!select) return () => {};
  const moved = form.querySelector<HTMLElement>("[data-moved]");
  const take = form.querySelector<HTMLElement>("[data-take-time]");
  take?.addEventListener("click", () => {
    delete select.dataset.chosen;
    look();
    select.focus();
  });
  const look = (): void => {
    const wanted = portionsIn(quantity);
    const options = [...select.options];
    const fits = ({ dataset }: HTMLOptionElement) => !(Number(dataset.left) < wanted);
    const first = options.find((each) => each.defaultSelected && fits(each)) ?? options.find(fits);
    let chosen = options[select.selectedIndex];
    for (const each of options) {
      each.disabled = first ? !fits(each) : each.dataset.left === "0";
    }
    if (first && chosen !== first && !(chosen && "chosen" in select.dataset)) {
      first.selected = true;
      if (moved) moved.hidden = !chosen || first.defaultSelected;
      chosen = first;
    }
    const tooMany = form.querySelector("#quantity-hint")?.textContent?.trim() ?? "";
    refuse(quantity, first || !quantity.dataset.atOneTime ? "" : tooMany);
    const other = first && chosen && !fits(chosen) ? first : undefined;
    refuse(select, other ? (chosen?.dataset.short ?? "") : "");
    if (take?.parentElement) {
      take.textContent = other ? `${take.dataset.takeTime} ${timeOf(other)}` : "";
      take.parentElement.hidden = !other;
    }
  };
  select.addEventListener("input", () => {
    select.dataset.chosen = "";
    if (moved) moved.hidden = true;
    look();
  });
  for (const field of [select, quantity]) {
    // The message is below the field already, so the browser needs no bubble of its own.
    field.addEventListener("invalid", (event) => {
      if (!field.validity.customError) return;
      event.preventDefault();
      field.focus();
    });
  }
  quantity.addEventListener("input", look);
  look();
  return look;
}

/** Whether the form may be sent: its number of portions fits its time. If not, the field is focused. */
export function hasRoom(form: HTMLFormElement): boolean {
  const fields = form.querySelectorAll<HTMLInputElement>("[name=quantity], [name=slotId]");
  return [...fields].every((field) => !field.validity.customError || field.reportValidity());
}
