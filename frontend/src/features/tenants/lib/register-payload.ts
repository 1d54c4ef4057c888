import type { RegisterValues } from "./register-schema";

/** The form as the API takes it; a signed-in person's account is the session's to say. */
export function registerPayload(
  values: RegisterValues,
  signedIn: boolean,
): Partial<RegisterValues> {
  const { password, ...rest } = values;
  const trimmed = Object.fromEntries(
    Object.entries(rest).map(([name, value]) => [
      name,
      typeof value === "string" ? value.trim() : value,
    ]),
  ) as Omit<RegisterValues, "password">;
  const { subdomain, ...others } = trimmed;
  return {
    ...others,
    // Left out rather than empty: then one is proposed from the name (DECISIONS X67).
    ...(subdomain && { subdomain }),
    ...(!signedIn && { password }),
  };
}
