import { beforeEach, expect, test } from "vitest";
import { startStepForms } from "./steps";

const field = () => document.querySelector("input[type=number]") as HTMLInputElement;
const button = (step: string) =>
  document.querySelector(`[data-step="${step}"]`) as HTMLButtonElement;

beforeEach(() => {
  document.body.innerHTML = `<form data-steps>
    <button type="button" data-step="-1" hidden>−</button>
    <input type="number" min="1" max="3" step="1" value="2" required>
    <button type="button" data-step="1" hidden>+</button>
  </form>`;
  startStepForms();
});

test("the buttons of a number field count to its limits and no further", () => {
  expect(button("1").hidden).toBe(false);
  button("1").click();
  expect(field().value).toBe("3");
  expect(button("1").disabled).toBe(true);
  button("-1").click();
  button("-1").click();
  expect(field().value).toBe("1");
  expect(button("-1").disabled).toBe(true);
  expect(button("1").disabled).toBe(false);
});

test("a number that is typed switches the buttons too", () => {
  field().value = "9";
  field().dispatchEvent(new Event("input"));
  expect(button("1").disabled).toBe(true);
});

test.each([
  ["", "1"],
  ["0", "1"],
  ["-2", "1"],
  ["2.5", "2"],
  ["9", "9"], // refused with what can be ordered: see slots.ts
])("%j becomes %j once the guest leaves the field", (typed, left) => {
  const heard: string[] = [];
  field().addEventListener("input", () => heard.push(field().value));
  field().value = typed;
  field().dispatchEvent(new Event("change"));
  expect(field().value).toBe(left);
  expect(heard).toEqual(typed === left ? [] : [left]);
});

test("an address that can't be one is refused in its place", () => {
  document.body.innerHTML = `<form id="follow" data-steps><div class="field"><p class="error"></p>
    <input type="email" name="email" required data-missing="Enter a valid email address."></div></form>`;
  startStepForms();
  const form = document.querySelector("form") as HTMLFormElement;
  const input = document.querySelector("input") as HTMLInputElement;
  const send = () => form.dispatchEvent(new Event("submit", { cancelable: true }));
  const message = () => document.querySelector(".error")?.textContent;
  for (const typed of ["", "jo", "jo@guest"]) {
    input.value = typed;
    expect([send(), message()]).toEqual([false, "Enter a valid email address."]);
    expect(document.activeElement).toBe(input);
  }
  input.value = "jo@guest.test";
  input.dispatchEvent(new Event("input", { bubbles: true }));
  expect([send(), message()]).toEqual([true, ""]);
});
