import { expect, test } from "vitest";
import { ApiError } from "@/api/client";
import { editedMeanwhile, mergeEdits } from "./merge-edits";

const base = { name: "Osso buco", price: "24.00", marks: ["eggs"] };

test("what only they changed is taken over, what only I changed stays", () => {
  const theirs = { ...base, price: "20.00" };
  const mine = { ...base, name: "Ossobuco" };
  expect(mergeEdits(base, theirs, mine)).toEqual({
    values: { name: "Ossobuco", price: "20.00", marks: ["eggs"] },
    adopted: ["price"],
    contested: [],
  });
});

test("what both changed is mine until somebody chooses", () => {
  const theirs = { ...base, price: "20.00", marks: [] };
  const mine = { ...base, price: "22.00", marks: ["milk"] };
  expect(mergeEdits(base, theirs, mine)).toEqual({
    values: mine,
    adopted: [],
    contested: ["price", "marks"],
  });
});

test("the same change on both sides is no difference", () => {
  const both = { ...base, marks: ["milk"] };
  expect(mergeEdits(base, both, { ...both })).toEqual({
    values: both,
    adopted: [],
    contested: [],
  });
});

test("only the refusal of an older version says what is stored now", () => {
  const body = JSON.stringify({ code: "edited_meanwhile", current: base });
  expect(editedMeanwhile(new ApiError(409, "", body))).toEqual(base);
  expect(editedMeanwhile(new ApiError(409, "", '{"code":"has_orders"}'))).toBeNull();
  expect(editedMeanwhile(new TypeError("offline"))).toBeNull();
});
