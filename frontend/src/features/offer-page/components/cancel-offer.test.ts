import { expect, test } from "vitest";
import type { Rehearsal } from "@/api/types";
import { cancelConsequence } from "./cancel-offer";

const none = { orders: 0, portions: 0, amount: null };
const rehearsal = {
  charged: none,
  alternative: none,
  released: none,
  refunded: none,
  waiting: 0,
} as unknown as Rehearsal;
const held = { orders: 2, portions: 3, amount: "40.00" };

test("canceling a special that nobody ordered promises no email", () => {
  expect(cancelConsequence(rehearsal)).toBe(
    "No one has ordered yet. The special disappears from your page and stays in your history.",
  );
});

test("canceling says how many orders end, what happens to the cards, and that it is final", () => {
  const one = { ...held, orders: 1 };
  expect(cancelConsequence({ ...rehearsal, released: held, refunded: one, waiting: 1 })).toBe(
    "3 orders end: holds are released, cards that were charged early are refunded in full, and each guest gets an email with your reason. Checkouts that are open now are closed. This can't be undone.",
  );
  expect(cancelConsequence({ ...rehearsal, released: one })).toMatch(/^1 order ends: /);
});
