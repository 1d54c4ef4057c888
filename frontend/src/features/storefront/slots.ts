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
  showError(field, text.replaceAll("–", "\u2060–\u2060")); // a time stays in one row
}

const takeOf = (field: Element) =>
  field.closest(".field")?.querySelector<HTMLElement>("[data-take]");

/** Offers what fits, on the button below the field's error. */
function offer(field: Element, what: string): void {
  const take = takeOf(field);
  if (!take?.parentElement) return;
  take.textContent = `${take.dataset.take} ${what}`;
  take.parentElement.hidden = !what;
}

/** Says what the form's hint says, once the number is larger than that, and offers the largest. */
function refuseTooMany(form: HTMLFormElement, quantity: HTMLInputElement, isTooMany: boolean) {
  refuse(quantity, (isTooMany && form.querySelector("#quantity-hint")?.textContent?.trim()) || "");
  const isRefused = quantity.validity.rangeOverflow && quantity.hasAttribute("aria-invalid");
  offer(quantity, isRefused ? quantity.max : "");
}

/**
 * Refuses a number of portions above the largest, and makes the times of an order form follow it: an option says with [data-left] how
 * many it has, without a limit it has none, and with [data-short] what to say if that isn't enough. A
 * time that doesn't fit gives way to the first that does, which [data-moved] says, until it fits again,
 * unless the guest chose it, which [data-chosen] says; then
 * its [data-take] offers the one that fits, as that of the number offers the largest. Returns a function that looks again.
 */
export function followSlots(form: HTMLFormElement, quantity: HTMLInputElement): () => void {
  const select = form.querySelector<HTMLSelectElement>("select[name=slotId]");
  // The message is below the field already, so the browser needs no bubble of its own.
  for (const field of select ? [select, quantity] : [quantity]) {
    field.addEventListener("invalid", (event) => {
      if (!field.validity.customError) return;
      event.preventDefault();
      field.focus();
    });
  }
  takeOf(quantity)?.addEventListener("click", () => {
    quantity.value = quantity.max;
    quantity.dispatchEvent(new Event("input", { bubbles: true }));
    quantity.focus();
  });
  if (!select) {
    const check = () => refuseTooMany(form, quantity, quantity.validity.rangeOverflow);
    quantity.addEventListener("input", check);
    check();
    return check;
  }
  const moved = form.querySelector<HTMLElement>("[data-moved]");
  takeOf(select)?.addEventListener("click", () => {
    delete select.dataset.chosen;
    look();
    select.focus();
  });
  let before = portionsIn(quantity);
  const look = (): void => {
    const wanted = portionsIn(quantity);
    const options = [...select.options];
    const fits = ({ dataset }: HTMLOptionElement) => !(Number(dataset.left) < wanted);
    const first = options.find((each) => each.defaultSelected && fits(each)) ?? options.find(fits);
    let chosen = options[select.selectedIndex];
    for (const each of options) {
      each.disabled = first ? !fits(each) : each.dataset.left === "0";
    }
    // A number that no time has room for must change, and not the time.
    if (first && !(chosen && "chosen" in select.dataset)) {
      const isAsBefore = chosen === first && wanted === before;
      if (chosen && !isAsBefore) {
        if (moved) moved.hidden = first.defaultSelected;
        showError(select, "");
      }
      first.selected = true;
      chosen = first;
    }
    before = wanted;
    const { validity, dataset } = quantity;
    refuseTooMany(form, quantity, validity.rangeOverflow || (!first && "atOneTime" in dataset));
    const other = first && chosen && !fits(chosen) ? first : undefined;
    refuse(select, other ? (chosen?.dataset.short ?? "") : "");
    offer(select, other ? timeOf(other) : "");
  };
  select.addEventListener("input", () => {
    select.dataset.chosen = "";
    if (moved) moved.hidden = true;
    showError(select, ""); // what the server said of the time before
    look();
  });
  quantity.addEventListener("input", look);
  look();
  return look;
}

/** Whether the form may be sent: its number of portions fits its time. If not, the field is focused. */
export function hasRoom(form: HTMLFormElement): boolean {
  const fields = form.querySelectorAll<HTMLInputElement>("[name=quantity], [name=slotId]");
  return [...fields].every((field) => !field.validity.customError || field.reportValidity());
}
