import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { loadOwnOrders } from "./remembered";

const load = vi.fn(() => Promise.resolve());

beforeEach(() => {
  load.mockClear();
  document.head.innerHTML = `<meta name="own-orders" content="/own-orders.js">`;
});
afterEach(() => {
  vi.unstubAllGlobals();
  localStorage.clear();
  document.head.replaceChildren();
  document.body.replaceChildren();
});

test("a browser that remembers no order loads what lists them only once it does", () => {
  loadOwnOrders(load);
  dispatchEvent(new Event("pageshow"));
  expect(load).not.toHaveBeenCalled();
  localStorage.setItem("own-orders", "[]");
  for (const event of ["own-orders-changed", "storage"]) dispatchEvent(new Event(event));
  expect(load.mock.calls).toEqual([["/own-orders.js"]]);
});

test("a browser that remembers orders loads it at once", () => {
  localStorage.setItem("own-orders", "[]");
  loadOwnOrders(load);
  expect(load).toHaveBeenCalledTimes(1);
});

test("the page of an order loads it also where nothing can be stored", () => {
  vi.stubGlobal("localStorage", {
    getItem: () => {
      throw new Error("off");
    },
    clear: () => undefined,
  });
  document.body.innerHTML = `<div data-own-order="/order/1"></div>`;
  loadOwnOrders(load);
  expect(load).toHaveBeenCalledTimes(1);
});
