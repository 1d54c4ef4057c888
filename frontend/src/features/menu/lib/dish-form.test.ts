import { expect, test } from "vitest";
import { dishPayload, dishSchema, dishValues } from "./dish-form";
import { moved } from "./order";

const values = { ...dishValues(null), name: " Lasagne ", price: "$18.5" };

function errors(changes: Partial<typeof values>): string[] {
  const result = dishSchema.safeParse({ ...values, ...changes });
  return result.success ? [] : result.error.issues.map((issue) => issue.message);
}

test("a name and a price are enough", () => {
  expect(errors({})).toEqual([]);
  expect(dishPayload(values)).toEqual({
    name: "Lasagne",
    description: "",
    translations: {},
    price: "18.50",
    allergens: [],
    dietary: [],
    imageUrl: null,
  });
});

test("a dish is sent with the Spanish texts that were written, and without empty ones", () => {
  const spanish = { ...values, spanishName: " Lasaña ", spanishDescription: "" };
  expect(dishPayload(spanish).translations).toEqual({ es: { name: "Lasaña" } });
});

test("all missing fields are named at once", () => {
  expect(errors({ name: " ", price: "" })).toEqual(["Name is required", "Price is required"]);
  expect(errors({ price: "free" })).toEqual(["Price must be a positive number"]);
});

test.each([
  [0, 2, "bca"],
  [2, 0, "cab"],
  [1, 1, "abc"],
  [0, -1, "abc"],
  [2, 3, "abc"],
  [7, 0, "abc"],
])("moving %i to %i gives %s", (from, to, expected) => {
  expect(moved(["a", "b", "c"], from, to).join("")).toBe(expected);
});
