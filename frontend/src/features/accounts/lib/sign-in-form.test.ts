import { afterEach, beforeEach, expect, test } from "vitest";
import { startSignInForm } from "./sign-in-form";

function openPage({ typed = "", next = "/restaurant" } = {}): HTMLFormElement {
  document.body.innerHTML = `
    <form method="post" action="/login">
      <input type="hidden" name="next" value="${next}">
      <input name="email" value="${typed}">
      <input name="password" type="password">
    </form>`;
  startSignInForm();
  const form = document.querySelector("form");
  if (!form) throw new Error("there is a form");
  form.addEventListener("submit", (event) => event.preventDefault());
  return form;
}

const input = (form: HTMLFormElement, name: string) =>
  form.querySelector(`[name=${name}]`) as HTMLInputElement;
const send = (form: HTMLFormElement) =>
  form.dispatchEvent(new Event("submit", { bubbles: true, cancelable: true }));

beforeEach(() => localStorage.clear());
afterEach(() => {
  document.body.replaceChildren();
  localStorage.clear();
});

test("the email that was sent is there at the next sign-in, and the password is not", () => {
  const form = openPage();
  input(form, "email").value = " luisa@example.com ";
  input(form, "password").value = "tomato-and-basil-7";
  send(form);
  expect(localStorage.getItem("restaurant_login_form")).toBe('{"email":"luisa@example.com"}');
  const again = openPage();
  expect(input(again, "email").value).toBe("luisa@example.com");
  expect(input(again, "password").value).toBe("");
});

test("what the page was rendered with is not replaced by what was sent before", () => {
  localStorage.setItem("restaurant_login_form", '{"email":"luisa@example.com"}');
  expect(input(openPage({ typed: "mia@example.com" }), "email").value).toBe("mia@example.com");
});

test("a damaged record leaves the form empty and is cleared", () => {
  localStorage.setItem("restaurant_login_form", "{");
  expect(input(openPage(), "email").value).toBe("");
  expect(localStorage.getItem("restaurant_login_form")).toBeNull();
});
