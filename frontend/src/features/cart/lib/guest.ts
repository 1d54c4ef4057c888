import { isEmail } from "@/lib/email";
import { gettext } from "@/lib/i18n";

/** Who orders; asked once for the whole cart. */
export interface Guest {
  name: string;
  email: string;
  phone: string;
}

export const EMPTY_GUEST: Guest = { name: "", email: "", phone: "" };
const KEY = "guest";

/** What is missing, in the server's words. */
export function validateGuest(guest: Guest, asksForPhone: boolean): Partial<Guest> {
  const errors: Partial<Guest> = {};
  if (!guest.name.trim()) errors.name = gettext("Name is required");
  if (!isEmail(guest.email.trim())) errors.email = gettext("Valid email is required");
  if (asksForPhone && !guest.phone.trim()) errors.phone = gettext("Phone is required");
  return errors;
}

/** The guest who asked to be remembered on this device, or nobody. */
export function rememberedGuest(): Guest | null {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? "null");
    const { name, email, phone } = stored;
    return [name, email, phone].every((each) => typeof each === "string")
      ? { name, email, phone }
      : null;
  } catch {
    return null;
  }
}

/** Stores the guest on this device, or deletes the stored one. */
export function rememberGuest(guest: Guest | null): void {
  try {
    if (guest) localStorage.setItem(KEY, JSON.stringify(guest));
    else localStorage.removeItem(KEY);
  } catch {
    // Storage is off: there is nothing to remember with.
  }
}
