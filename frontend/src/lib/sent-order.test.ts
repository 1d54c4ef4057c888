import { beforeEach, expect, test, vi } from "vitest";
import { noteSent, seeOwnOrder, sentEmail } from "./sent-order";

const form = () => document.querySelector("form") as HTMLFormElement;

beforeEach(() => {
  sessionStorage.clear();
  document.body.innerHTML =
    '<form data-order-form action="/specials/1/pre-order#pre-order"><input name="customerEmail"></form>';
});

test("whoever comes back from the payment sees their order, once", () => {
  const reload = vi.fn();
  noteSent(form(), true);
  seeOwnOrder(form(), reload);
  seeOwnOrder(form(), reload);
  expect(reload).toHaveBeenCalledTimes(1);
});

test("nobody else's page is loaded again, nor one that was answered with an error", () => {
  const reload = vi.fn();
  seeOwnOrder(form(), reload);
  noteSent(form(), true);
  noteSent(form(), false);
  seeOwnOrder(form(), reload);
  expect(reload).not.toHaveBeenCalled();
});

test("the payment page knows the address in a form that this tab sent", () => {
  expect(sentEmail("1")).toBe("");
  (document.querySelector("input") as HTMLInputElement).value = " ana@guests.test ";
  noteSent(form(), true);
  expect(sentEmail("1")).toBe("ana@guests.test");
  expect(sentEmail("2")).toBe("");
});
