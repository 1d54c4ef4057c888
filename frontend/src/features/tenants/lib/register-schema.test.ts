import { expect, test } from "vitest";
import { registerPayload } from "./register-payload";
import { type RegisterValues, registerSchema } from "./register-schema";

const good: RegisterValues = {
  tenantName: "Sole Group",
  tenantSlug: "sole-group",
  subdomain: "",
  name: "Sofia",
  email: "sofia@example.com",
  password: "basil7",
  restaurantName: "Sole",
  streetAddress: "1 Via Roma",
  city: "Boston",
  state: "",
  zipCode: "",
  country: "",
  phone: "617 555 0100",
  hasAgreedToTerms: true,
};

function errors(values: Partial<RegisterValues>, signedIn = false): string[] {
  const { error } = registerSchema(signedIn).safeParse({ ...good, ...values });
  return error?.issues.map(({ path, message }) => `${path.join()}: ${message}`) ?? [];
}

test("the required fields alone are enough", () => expect(errors({})).toEqual([]));

test.each([
  [{ tenantSlug: "Sole" }, "URL slug can only contain lowercase letters, numbers, and dashes"],
  [{ tenantSlug: "so" }, "URL slug must be at least 3 characters"],
  [{ email: "sofia@" }, "Invalid email format"],
  [{ password: "basil" }, "Password must be at least 6 characters"],
  [{ hasAgreedToTerms: false }, "You must agree to the Terms of Service to register"],
  [{ tenantName: " " }, "Business name is required"],
  [{ subdomain: "a".repeat(64) }, "Subdomain must be 3 to 63 characters"],
  [{ city: "" }, "City is required"],
] satisfies [Partial<RegisterValues>, string][])("%j is refused", (values, message) => {
  const [field] = Object.keys(values);
  expect(errors(values)).toEqual([`${field}: ${message}`]);
});

test("nothing of the account is asked of somebody signed in (X35)", () => {
  expect(errors({ name: "", email: "", password: "" }, true)).toEqual([]);
});

test("what is sent is trimmed; an empty subdomain and a known account's password are left out", () => {
  const sent = registerPayload({ ...good, restaurantName: " Sole ", subdomain: " " }, true);
  expect(sent).toMatchObject({ restaurantName: "Sole", tenantSlug: "sole-group" });
  expect(sent).not.toHaveProperty("subdomain");
  expect(sent).not.toHaveProperty("password");
  expect(registerPayload(good, false).password).toBe("basil7");
});
