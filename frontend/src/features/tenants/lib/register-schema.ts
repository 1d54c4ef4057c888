import * as z from "zod/mini";
import { isEmail } from "@/lib/email";

const text = z.string();
const required = (message: string) =>
  z.string().check(z.refine((value) => !!value.trim(), message));

/** Longest label a host name can have (DECISIONS X49). */
const LONGEST_SUBDOMAIN = 63;

const slugCharacters = "URL slug can only contain lowercase letters, numbers, and dashes";

/** The business, its addresses and, for someone new, the account. */
const platform = z.object({
  tenantName: required("Business name is required"),
  tenantSlug: text.check(
    z.refine((slug) => slug.length >= 3, "URL slug must be at least 3 characters"),
    z.refine((slug) => slug.length <= 100, "URL slug must be at most 100 characters"),
    z.refine((slug) => /^[a-z0-9-]*$/.test(slug), slugCharacters),
  ),
  subdomain: text.check(
    z.refine(
      (label) => label === "" || (label.length >= 3 && label.length <= LONGEST_SUBDOMAIN),
      "Subdomain must be 3 to 63 characters",
    ),
    z.refine(
      (label) => /^[a-z0-9-]*$/.test(label),
      "Subdomain can only contain lowercase letters, numbers, and dashes",
    ),
  ),
});

const account = z.object({
  name: required("Your name is required"),
  email: text.check(z.refine(isEmail, "Invalid email format")),
  password: text.check(
    z.refine((password) => password.length >= 6, "Password must be at least 6 characters"),
    z.refine((password) => password.length <= 128, "Password must not exceed 128 characters"),
  ),
});

/** For someone signed in the account is known and nothing of it is asked. */
const knownAccount = z.object({ name: text, email: text, password: text });

/** The restaurant itself. */
const restaurant = z.object({
  restaurantName: required("Restaurant name is required"),
  streetAddress: required("Street address is required"),
  city: required("City is required"),
  state: text,
  zipCode: text,
  country: text,
  phone: required("Phone is required"),
  hasAgreedToTerms: z
    .boolean()
    .check(z.refine((agreed) => agreed, "You must agree to the Terms of Service to register")),
});

export function registerSchema(signedIn: boolean) {
  const person = signedIn ? knownAccount : account;
  return z.object({ ...platform.shape, ...person.shape, ...restaurant.shape });
}

export type RegisterValues = z.infer<ReturnType<typeof registerSchema>>;

/** What step 1 asks; it must be right before step 2 opens. */
export const firstStep = [
  "tenantName",
  "tenantSlug",
  "subdomain",
  "name",
  "email",
  "password",
] as const satisfies (keyof RegisterValues)[];
