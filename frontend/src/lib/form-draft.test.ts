import { afterEach, expect, test } from "vitest";
import { clearDraft, readDraft, saveDraft } from "./form-draft";

afterEach(() => localStorage.clear());

test("a draft keeps texts and never a secret", () => {
  saveDraft("restaurant_register_form", {
    tenantName: "Sole",
    password: "tomato-7",
    startedAt: "x",
    bearerToken: "secret",
    hasAgreedToTerms: true,
  });
  expect(readDraft("restaurant_register_form")).toEqual({ tenantName: "Sole", startedAt: "x" });
  clearDraft("restaurant_register_form");
  expect(readDraft("restaurant_register_form")).toEqual({});
});

test.each(["{", "[1]", "null", '"text"'])("a damaged draft %s is cleared", (damage) => {
  localStorage.setItem("restaurant_login_form", damage);
  expect(readDraft("restaurant_login_form")).toEqual({});
  expect(localStorage.getItem("restaurant_login_form")).toBeNull();
});
