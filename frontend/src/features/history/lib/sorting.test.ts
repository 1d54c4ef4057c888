import { expect, test } from "vitest";
import { firstSorting, sortedBy } from "./sorting";

test("the latest special entered comes first", () => {
  expect(firstSorting).toEqual({ column: "date_entered", order: "desc" });
});

test("choosing the same column reverses the order", () => {
  const turned = sortedBy("date_entered", firstSorting);
  expect(turned).toEqual({ column: "date_entered", order: "asc" });
  expect(sortedBy("date_entered", turned)).toEqual(firstSorting);
});

test("another column begins ascending, whatever the order was", () => {
  expect(sortedBy("name", firstSorting)).toEqual({ column: "name", order: "asc" });
  expect(sortedBy("date_entered", { column: "name", order: "desc" })).toEqual({
    column: "date_entered",
    order: "asc",
  });
});
