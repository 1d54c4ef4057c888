import { isEmail } from "@/lib/email";
import { gettext } from "@/lib/i18n";
import type { Customer } from "../api/cart";

export const NOBODY: Customer = { name: "", email: "", phone: "" };
const KEY = "diner";

/** What is missing, in the server's words. */
export function faultsOf(customer: Customer): Partial<Customer> {
  const faults: Partial<Customer> = {};
  if (!customer.name.trim()) faults.name = gettext("Name is required");
  if (!isEmail(customer.email.trim())) faults.email = gettext("Valid email is required");
  if (!customer.phone.trim()) faults.phone = gettext("Phone is required");
  return faults;
}

/** Who asked to be remembered on this device, or nobody. */
export function rememberedCustomer(): Customer | null {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "null");
    const { name, email, phone } = kept;
    return [name, email, phone].every((each) => typeof each === "string")
      ? { name, email, phone }
      : null;
  } catch {
    return null;
  }
}

/** Keeps the person on this device, or forgets whoever was kept. */
export function rememberCustomer(customer: Customer | null): void {
  try {
    if (customer) localStorage.setItem(KEY, JSON.stringify(customer));
    else localStorage.removeItem(KEY);
  } catch {
    // Storage is off: there is nothing to remember with.
  }
}
