import { afterEach, expect, test } from "vitest";
import {
  clearAdminFlags,
  clearUser,
  isOwnPath,
  rememberDestination,
  rememberUser,
  storedUser,
  takeDestination,
  tidyStoredSession,
} from "./stored-session";

const user = {
  name: "Luisa",
  isRestaurantOwner: true,
  hasCompletedOnboarding: false,
  restaurantName: "Luigi's",
};

afterEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

test("display data is saved and nothing else of the answer (X51)", () => {
  rememberUser({ ...user, token: "secret", email: "luisa@example.com" } as typeof user);
  expect(storedUser()).toEqual(user);
  expect(localStorage.getItem("restaurant_user")).not.toMatch(/secret|luisa@/);
});

test.each(["{", "null", "[]", '"Luisa"', '{"name": 3}', '{"name": "Luisa"}'])(
  "a corrupted record %s is cleared",
  (record) => {
    localStorage.setItem("restaurant_user", record);
    tidyStoredSession();
    expect(localStorage.getItem("restaurant_user")).toBeNull();
  },
);

test("what older clients left is cleared, and the record of who was here stays", () => {
  rememberUser(user);
  const old = [
    "restaurant_token",
    "restaurant_data",
    "customer_token",
    "authToken",
    "customer_user",
  ];
  for (const key of old) localStorage.setItem(key, "left behind");
  tidyStoredSession();
  expect(Object.keys(localStorage)).toEqual(["restaurant_user"]);
  clearUser();
  expect(storedUser()).toBeNull();
});

test("administration flags do not survive the landing page", () => {
  localStorage.setItem("isAdmin", "1");
  localStorage.setItem("admin_session", "1");
  sessionStorage.setItem("adminMode", "1");
  localStorage.setItem("restaurant_user", JSON.stringify(user));
  clearAdminFlags();
  expect([...Object.keys(localStorage), ...Object.keys(sessionStorage)]).toEqual([
    "restaurant_user",
  ]);
});

test("a remembered destination is returned once", () => {
  rememberDestination("/restaurant/settings?section=marketing");
  expect(takeDestination()).toBe("/restaurant/settings?section=marketing");
  expect(takeDestination()).toBeNull();
});

test.each([
  "//evil.example",
  "/\\evil.example",
  "https://evil.example",
  "/\t/evil.example",
  "x",
  "",
])("%j is no destination (X43)", (path) => {
  expect(isOwnPath(path)).toBe(false);
  rememberDestination(path);
  localStorage.setItem("intended_destination", path);
  expect(takeDestination()).toBeNull();
});
