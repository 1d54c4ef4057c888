import { beforeEach, expect, test } from "vitest";
import { endOrders, forgetOrders, rememberOrders } from "../../lib/own-orders";
import { startOwnCards } from "./own-cards";

const LIST = `<table><tbody>
  <tr data-special="7"><td><div class="media"></div><h2><a>Osso Buco</a></h2></td></tr>
  <tr data-special="8"><td><div class="media"></div><h2><a>Ravioli</a></h2></td></tr></tbody></table>`;
const order = {
  code: "A1",
  path: "/order/a1:1",
  name: "Osso Buco",
  day: "2099-11-25",
  when: "Wed",
};
const marks = () =>
  [...document.querySelectorAll("[data-own-mark]")].map((mark) => [
    mark.closest("tr")?.dataset.special,
    mark.textContent,
    mark.getAttribute("href"),
  ]);

beforeEach(() => localStorage.clear());

test("the card of a special that this browser ordered says how much and leads to the order", () => {
  document.body.innerHTML = LIST;
  rememberOrders([{ ...order, special: "7", portions: 2 }]);
  startOwnCards();
  expect(marks()).toEqual([["7", "You ordered 2 Osso Buco", "/order/a1:1"]]);
  rememberOrders([{ ...order, code: "B2", path: "/order/b2:1", special: "7", portions: 1 }]);
  expect(marks().map(([, text]) => text)).toEqual(["You ordered 3 Osso Buco"]);
  forgetOrders();
  expect(marks()).toEqual([]);
});

test("a card isn't marked anymore once another tab has removed the orders", () => {
  document.body.innerHTML = LIST;
  rememberOrders([{ ...order, special: "7", portions: 2 }]);
  startOwnCards();
  localStorage.clear();
  dispatchEvent(new StorageEvent("storage", { key: null }));
  expect(marks()).toEqual([]);
});

test("the card of a special that this browser waits for leads to the waitlist entry", () => {
  document.body.innerHTML = LIST;
  const entry = { ...order, code: "9", path: "/waitlist/9", inShort: "On the waitlist" };
  rememberOrders([{ ...entry, special: "7" }]);
  startOwnCards();
  expect(marks()).toEqual([["7", "On the waitlist Osso Buco", "/waitlist/9"]]);
});

test("an order remembered without its portions is marked, too", () => {
  document.body.innerHTML = LIST;
  rememberOrders([{ ...order, special: "8" }]);
  startOwnCards();
  expect(marks()).toEqual([["8", "You ordered this Ravioli", "/order/a1:1"]]);
});

test("the card of a special whose order was canceled is like any other", () => {
  document.body.innerHTML = LIST;
  rememberOrders([{ ...order, special: "8" }]);
  startOwnCards();
  endOrders([order]);
  expect(marks()).toEqual([]);
});
