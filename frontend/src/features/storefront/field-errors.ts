import { isEmail } from "../../lib/email";

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** Shows what is wrong with a field in the [.error] of its [.field], or takes it away. */
export function showError(field: Field, text: string): void {
  const place = field.closest(".field")?.querySelector(".error");
  if (text) field.setAttribute("aria-invalid", "true");
  else field.removeAttribute("aria-invalid");
  if (place && place.textContent !== text) place.textContent = text;
}

/** Takes what the server said about a field away once its value is one that the browser accepts. */
export function clearCorrected(form: HTMLFormElement): void {
  form.addEventListener("input", ({ target }) => {
    const field = target as Field;
    if (!field.hasAttribute("aria-invalid") || field.validity.customError) return;
    const isFilled = !field.required || field.value.trim() !== "";
    if (isFilled && field.checkValidity() && (field.type !== "email" || isEmail(field.value))) {
      showError(field, "");
    }
  });
}
