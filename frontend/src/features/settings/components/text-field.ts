import type { ProfileForm } from "../hooks/use-profile-form";
import type { TextField } from "../lib/profile-form";

/** What ties a text field to the form. */
export function fieldOf(form: ProfileForm, field: TextField) {
  return {
    name: field,
    value: form.values[field],
    error: form.errors[field],
    onChange: (event: { target: { value: string } }) =>
      form.change({ [field]: event.target.value }),
    onBlur: () => form.leave(field),
  };
}
