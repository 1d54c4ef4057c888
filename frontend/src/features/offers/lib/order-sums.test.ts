import { expect, test } from "vitest";
import { orderSums } from "./order-sums";

test.each([
  ["18.00", 1, "8.00", { subtotal: 1800, tax: 144, total: 1944 }],
  ["18.00", 3, "8.00", { subtotal: 5400, tax: 432, total: 5832 }],
  ["9.99", 1, "8.875", { subtotal: 999, tax: 89, total: 1088 }],
  ["10.05", 1, "10.00", { subtotal: 1005, tax: 101, total: 1106 }],
  ["1234.50", 50, "0.00", { subtotal: 6_172_500, tax: 0, total: 6_172_500 }],
])("%s × %d at %s per cent", (price, portions, rate, sums) => {
  expect(orderSums(price, portions, rate)).toEqual(sums);
});
