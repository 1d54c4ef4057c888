import { type Guest, TYPED_GUEST as KEY } from "@/lib/cart-store";
import { isEmail } from "@/lib/email";
import { gettext } from "@/lib/i18n";

export type { Guest };

export const EMPTY_GUEST: Guest = { name: "", email: "", phone: "" };
const onDevice = () => localStorage;
const inTab = () => sessionStorage;

/** What is missing, in the server's words. */
export function validateGuest(guest: Guest, asksForPhone: boolean): Partial<Guest> {
  const errors: Partial<Guest> = {};
  if (!guest.name.trim()) errors.name = gettext("Name is required");
  if (!isEmail(guest.email.trim())) errors.email = gettext("Valid email is required");
  if (asksForPhone && !guest.phone.trim()) errors.phone = gettext("Phone is required");
  return errors;
}

/** The guest who asked to be remembered on this device, or nobody. */
export const rememberedGuest = (): Guest | null => storedGuest(onDevice);

/** Stores the guest on this device, or deletes the stored one. */
export const rememberGuest = (guest: Guest | null): void => storeGuest(onDevice, guest);

/** Who was typed in this tab and hasn't ordered yet, or nobody: going back and reloading lose nothing. */
export const typedGuest = (): Guest | null => storedGuest(inTab);

/** Stores what is typed until this tab is closed, or deletes it. */
export const saveTypedGuest = (guest: Guest | null): void => storeGuest(inTab, guest);

function storedGuest(storage: () => Storage): Guest | null {
  try {
    const stored = JSON.parse(storage().getItem(KEY) ?? "null");
    const { name, email, phone } = stored;
    return [name, email, phone].every((each) => typeof each === "string")
      ? { name, email, phone }
      : null;
  } catch {
    return null;
  }
}

function storeGuest(storage: () => Storage, guest: Guest | null): void {
  try {
    if (guest) storage().setItem(KEY, JSON.stringify(guest));
    else storage().removeItem(KEY);
  } catch {
    // Storage is off: there is nothing to store it in.
  }
}
