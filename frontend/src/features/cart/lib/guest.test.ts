import { afterEach, expect, test } from "vitest";
import {
  EMPTY_GUEST,
  rememberedGuest,
  rememberGuest,
  saveTypedGuest,
  typedGuest,
  validateGuest,
} from "./guest";

const DANA = { name: "Dana", email: "dana@guests.test", phone: "" };

afterEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

test("who is typed is stored in this tab alone, until it is deleted", () => {
  saveTypedGuest(DANA);
  expect(typedGuest()).toEqual(DANA);
  expect(rememberedGuest()).toBeNull();
  expect(localStorage.length).toBe(0);
  saveTypedGuest(null);
  expect(typedGuest()).toBeNull();
  expect(sessionStorage.length).toBe(0);
});

test("who asked to be remembered is stored on the device", () => {
  rememberGuest(DANA);
  expect(rememberedGuest()).toEqual(DANA);
  expect(typedGuest()).toBeNull();
});

test.each(["{", "[]", '{"name":"Dana"}', "null"])("damaged storage (%s) names nobody", (stored) => {
  sessionStorage.setItem("guest", stored);
  expect(typedGuest()).toBeNull();
});

test.each([
  [EMPTY_GUEST, ["name", "email", "phone"]],
  [{ ...EMPTY_GUEST, name: "Dana" }, ["email", "phone"]],
  [DANA, ["phone"]],
  [{ ...DANA, phone: "212 555 0199" }, []],
])("of %o, everything that is missing is asked for: %s", (guest, fields) => {
  expect(Object.keys(validateGuest(guest, true))).toEqual(fields);
});
