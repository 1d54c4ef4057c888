import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import type { CartOffer } from "@/api/types";
import type { CartItem } from "@/lib/cart-store";
import { Otherwise } from "./otherwise";

const ITEM = { offerId: "1", name: "Osso Buco", unitCents: 1800, quantity: 1 };
const ALTERNATIVE = {
  name: "Tagliatelle",
  price: "14.50",
  isMenuPrice: false,
  contains: "eggs and gluten",
  diets: [{ name: "Vegetarian", isPlants: true }],
  lostDiets: ["Gluten-free"],
  noteWarnings: [],
  cardTerms: "",
};

const changed = vi.fn();

function choose(
  alternative: Partial<typeof ALTERNATIVE> | null,
  item: CartItem = ITEM,
  portionsMissing = 3,
): void {
  const offer = { minPreordersRequired: 12, alternative, portionsMissing } as CartOffer;
  render(<Otherwise offer={offer} item={item} onChange={changed} />);
}

afterEach(cleanup);

test("the alternative is wanted only if the guest says so, and its marks describe the choice", () => {
  choose(ALTERNATIVE);
  expect(screen.getByText("If fewer than 12 portions are ordered")).toBeTruthy();
  const choice = screen.getByRole<HTMLInputElement>("radio", {
    name: /^Make me Tagliatelle instead, at \$14.50/,
  });
  expect(choice.checked).toBe(false);
  fireEvent.click(choice);
  expect(changed).toHaveBeenLastCalledWith({ alternative: true });
  cleanup();
  choose(ALTERNATIVE, { ...ITEM, alternative: true });
  const [nothing, instead] = screen.getAllByRole("radio");
  fireEvent.click(nothing as HTMLElement);
  expect(changed).toHaveBeenLastCalledWith({ alternative: undefined });
  const described = instead?.getAttribute("aria-describedby");
  const marks = document.getElementById(described ?? "");
  expect(marks?.hidden).toBe(false);
  const listed = within(marks as HTMLElement).getAllByRole("listitem");
  expect(listed.map((each) => each.textContent)).toEqual([
    "Vegetarian",
    "Not gluten-free",
    "Contains: eggs and gluten",
  ]);
});

test("once a special is on, only cancellations can bring the choice about", () => {
  choose(ALTERNATIVE, ITEM, 0);
  expect(screen.getByText("If cancellations leave fewer than 12 portions")).toBeTruthy();
});

test("an alternative of which nothing is listed says that no allergens are", () => {
  choose(
    { ...ALTERNATIVE, contains: "", diets: [], lostDiets: [] },
    { ...ITEM, alternative: true },
  );
  expect(screen.getByRole("list").textContent).toBe("Allergens not listed");
});

test("a special without an alternative asks nothing", () => {
  choose(null);
  expect(screen.queryByRole("radio")).toBeNull();
});
