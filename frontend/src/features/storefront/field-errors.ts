type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** Shows what is wrong with a field in the [.error] of its [.field], or takes it away. */
export function showError(field: Field, text: string): void {
  const place = field.closest(".field")?.querySelector(".error");
  if (text) field.setAttribute("aria-invalid", "true");
  else field.removeAttribute("aria-invalid");
  if (place && place.textContent !== text) place.textContent = text;
}
