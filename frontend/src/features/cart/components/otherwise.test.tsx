import { cleanup, render, screen, within } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import type { CartOffer } from "@/api/types";
import { Otherwise } from "./otherwise";

const ITEM = { offerId: "1", name: "Osso Buco", unitCents: 1800, quantity: 1 };
const ALTERNATIVE = {
  name: "Tagliatelle",
  price: "14.50",
  isMenuPrice: false,
  contains: "Eggs and gluten",
  diets: [{ name: "Vegetarian", isPlants: true }],
  lostDiets: ["Gluten-free"],
  noteWarnings: [],
  cardTerms: "",
};

function choose(alternative: Partial<typeof ALTERNATIVE> | null): void {
  const offer = { minPreordersRequired: 12, alternative } as CartOffer;
  render(<Otherwise offer={offer} item={ITEM} onChange={() => undefined} />);
}

afterEach(cleanup);

test("the alternative's diets and allergens stand below it, and describe the choice", () => {
  choose(ALTERNATIVE);
  const choice = screen.getByRole("radio", { name: /^Make me Tagliatelle instead, at \$14.50/ });
  const marks = document.getElementById(choice.getAttribute("aria-describedby") ?? "");
  const listed = within(marks as HTMLElement).getAllByRole("listitem");
  expect(listed.map((each) => each.textContent)).toEqual([
    "Vegetarian",
    "Not gluten-free",
    "Contains: Eggs and gluten",
  ]);
});

test("an alternative of which nothing is listed says that no allergens are", () => {
  choose({ ...ALTERNATIVE, contains: "", diets: [], lostDiets: [] });
  expect(screen.getAllByRole("radio")).toHaveLength(2);
  expect(screen.getByRole("list").textContent).toBe("Allergens not listed");
});

test("a special without an alternative asks nothing", () => {
  choose(null);
  expect(screen.queryByRole("radio")).toBeNull();
});
