/**
 * What the site stores in the browser (DECISIONS X51). The session is a cookie that no script can
 * read; only display data is stored here, and the keys of older clients are cleared.
 */

/** Who was signed in last, for a greeting; never a proof of anything. */
interface StoredUser {
  name: string;
  isRestaurantOwner: boolean;
  hasCompletedOnboarding: boolean;
  restaurantName: string;
}

const USER = "restaurant_user";
const DESTINATION = "intended_destination";
/** Older clients saved tokens and copies of records here. */
const LEFT_BEHIND = [
  "restaurant_token",
  "customer_token",
  "authToken",
  "customer_user",
  "restaurant_data",
];
/** Flags an older administration left; any spelling. */
const ADMIN_FLAG = /^(is[_-]?)?admin/i;

/** Storage may be switched off or full; the site works without it. */
function quietly<Value>(work: () => Value, otherwise: Value): Value {
  try {
    return work();
  } catch {
    return otherwise;
  }
}

function isStoredUser(value: unknown): value is StoredUser {
  if (typeof value !== "object" || value === null) return false;
  const user = value as Record<string, unknown>;
  return typeof user.name === "string" && typeof user.isRestaurantOwner === "boolean";
}

/** The stored person, or null; a record that cannot be read is cleared. */
export function storedUser(): StoredUser | null {
  return quietly(() => {
    const text = localStorage.getItem(USER);
    if (text === null) return null;
    try {
      const value: unknown = JSON.parse(text);
      if (isStoredUser(value)) return value;
    } catch {
      // Not JSON: cleared below, like any other damaged record.
    }
    localStorage.removeItem(USER);
    return null;
  }, null);
}

/** Stores the four known fields, and nothing else that `user` may have. */
export function rememberUser(user: StoredUser): void {
  const { name, isRestaurantOwner, hasCompletedOnboarding, restaurantName } = user;
  const saved = { name, isRestaurantOwner, hasCompletedOnboarding, restaurantName };
  quietly(() => localStorage.setItem(USER, JSON.stringify(saved)), undefined);
}

export function clearUser(): void {
  quietly(() => localStorage.removeItem(USER), undefined);
}

/** On every page: clears a damaged record and what older clients left. */
export function tidyStoredSession(): void {
  storedUser();
  quietly(() => {
    for (const key of LEFT_BEHIND) localStorage.removeItem(key);
  }, undefined);
}

/** On the landing page: removes every administration flag. */
export function clearAdminFlags(): void {
  for (const storage of [() => localStorage, () => sessionStorage]) {
    quietly(() => {
      const flags = Object.keys(storage()).filter((key) => ADMIN_FLAG.test(key));
      for (const flag of flags) storage().removeItem(flag);
    }, undefined);
  }
}

/** A path on this site, and nothing that a browser could read as another site (DECISIONS X43). */
export function isOwnPath(path: string): boolean {
  if (!/^\/(?![/\\])/.test(path) || /[\\\p{Cc}]/u.test(path)) return false;
  return quietly(() => new URL(path, location.origin).origin === location.origin, false);
}

/** Where the person was going when they were asked to sign in. */
export function rememberDestination(path: string): void {
  if (isOwnPath(path)) quietly(() => localStorage.setItem(DESTINATION, path), undefined);
}

/** The remembered destination, once. */
export function takeDestination(): string | null {
  return quietly(() => {
    const path = localStorage.getItem(DESTINATION);
    localStorage.removeItem(DESTINATION);
    return path !== null && isOwnPath(path) ? path : null;
  }, null);
}
