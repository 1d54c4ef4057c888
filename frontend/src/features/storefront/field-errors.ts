import { isEmail } from "../../lib/email";

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** Shows what is wrong with a field in the [.error] of its [.field], or takes it away. */
export function showError(field: Field, text: string): void {
  const place = field.closest(".field")?.querySelector(".error");
  if (text) field.setAttribute("aria-invalid", "true");
  else field.removeAttribute("aria-invalid");
  if (place && place.textContent !== text) place.textContent = text;
}

const isFilledIn = (field: Field) =>
  field.value.trim() !== "" && (field.type !== "email" || isEmail(field.value));

/**
 * Whether every [data-missing] field is filled in. Each one that isn't says so in the server's words,
 * before anything is sent, and the first one has the focus.
 */
export function nothingMissing(form: HTMLFormElement): boolean {
  const fields = [...form.querySelectorAll<Field>("[data-missing]")];
  const missing = fields.filter((field) => !isFilledIn(field));
  for (const field of missing) showError(field, field.dataset.missing ?? "");
  missing[0]?.focus();
  return !missing[0];
}

/** Takes what the server said about a field away once its value is one that the browser accepts. */
export function clearCorrected(form: HTMLFormElement): void {
  form.addEventListener("input", ({ target }) => {
    const field = target as Field;
    if (!field.hasAttribute("aria-invalid") || field.validity.customError) return;
    const isOptional = !field.required && field.value === "";
    if (field.checkValidity() && (isOptional || isFilledIn(field))) showError(field, "");
  });
}
