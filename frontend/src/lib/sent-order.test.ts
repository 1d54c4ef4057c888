import { beforeEach, expect, test, vi } from "vitest";
import { forgetSent, noteSent, seeOwnOrder, sentOrder } from "./sent-order";

const form = () => document.querySelector("form") as HTMLFormElement;

beforeEach(() => {
  sessionStorage.clear();
  document.body.innerHTML = `<form data-order-form="1" action="/specials/1/friends/f1/order#pre-order">
    <input name="customerEmail" value=" ana@guests.test "></form>`;
});

test("whoever comes back from the payment sees their order, once", () => {
  const reload = vi.fn();
  noteSent(form());
  seeOwnOrder(form(), reload);
  seeOwnOrder(form(), reload);
  expect(reload).toHaveBeenCalledTimes(1);
});

test("nobody else's page is loaded again, nor one that was answered with an error", () => {
  const reload = vi.fn();
  seeOwnOrder(form(), reload);
  noteSent(form());
  forgetSent("1");
  seeOwnOrder(form(), reload);
  expect(reload).not.toHaveBeenCalled();
});

test("the payment page knows the address in a form that this tab sent, and the form's page", () => {
  expect(sentOrder("1")).toBeNull();
  noteSent(form());
  expect(sentOrder("1")).toEqual({ page: "/specials/1/friends/f1", email: "ana@guests.test" });
  expect(sentOrder("2")).toBeNull();
});
