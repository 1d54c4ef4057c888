import { expect, test } from "vitest";
import { startOrderForms } from "./order-form";
import { startStepForms } from "./steps";

const field = (name: string, attributes: string) => `<div class="field">
  <input name="${name}" ${attributes} aria-invalid="true"><p class="error">Wrong</p></div>`;

function type(name: string, value: string): [boolean, string | null | undefined] {
  const input = document.querySelector<HTMLInputElement>(`[name=${name}]`);
  if (!input) throw new Error(name);
  input.value = value;
  input.dispatchEvent(new Event("input", { bubbles: true }));
  const error = input.closest(".field")?.querySelector(".error");
  return [input.hasAttribute("aria-invalid"), error?.textContent];
}

const wrong = [true, "Wrong"];
const right = [false, ""];

test.each(["data-order-form", "data-steps"])(
  "what is corrected in a form with %s is no longer red",
  (kind) => {
    document.body.innerHTML = `<form ${kind} action="/specials/1/pre-order">
    ${field("quantity", 'type="number" min="1" max="3" value="9"')}
    ${field("customerName", "required")}
    ${field("customerEmail", 'type="email" required')}</form>`;
    startOrderForms();
    startStepForms();
    expect(type("customerName", "  ")).toEqual(wrong);
    expect(type("customerName", "Dana")).toEqual(right);
    expect(type("customerEmail", "dana@")).toEqual(wrong);
    expect(type("customerEmail", "dana@example")).toEqual(wrong);
    expect(type("customerEmail", "dana@example.test")).toEqual(right);
    expect(type("quantity", "4")).toEqual(wrong);
    expect(type("quantity", "3")).toEqual(right);
  },
);

const incomplete = `<form data-order-form action="/specials/2/pre-order">
    <div class="field"><input name="customerName" required data-missing="Name is required"><p class="error"></p></div>
    <div class="field"><input name="customerEmail" type="email" required data-missing="Valid email is required">
      <p class="error"></p></div></form>`;

test("an incomplete form isn't sent: each field says what it lacks, the first has the focus", () => {
  document.body.innerHTML = incomplete;
  startOrderForms();
  const form = document.querySelector("form") as HTMLFormElement;
  const errors = () => [...form.querySelectorAll(".error")].map((each) => each.textContent);
  const send = () => {
    const event = new Event("submit", { cancelable: true });
    form.dispatchEvent(event);
    return !event.defaultPrevented;
  };
  expect(send()).toBe(false);
  expect(errors()).toEqual(["Name is required", "Valid email is required"]);
  expect(document.activeElement).toBe(form.elements.namedItem("customerName"));
  type("customerName", "Dana");
  type("customerEmail", "dana@");
  expect(send()).toBe(false);
  expect(errors()).toEqual(["", "Valid email is required"]);
  expect(document.activeElement).toBe(form.elements.namedItem("customerEmail"));
  type("customerEmail", "dana@example.test");
  expect(send()).toBe(true);
  expect(errors()).toEqual(["", ""]);
});
