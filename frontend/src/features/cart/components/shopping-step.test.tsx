import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import type { Cart } from "../hooks/use-cart";
import { EMPTY_GUEST } from "../lib/guest";
import { ShoppingStep } from "./shopping-step";

afterEach(cleanup);

test("an empty cart says so and asks for nothing", () => {
  const cart = { items: [], shown: null, failed: false } as unknown as Cart;
  render(
    <ShoppingStep
      cart={cart}
      guest={EMPTY_GUEST}
      errors={{}}
      remember={false}
      strict={false}
      busy={false}
      problem={null}
      cardProblem={null}
      canOpenWallet={() => false}
      onWallet={() => {}}
      onGuestChange={() => {}}
      onRemember={() => {}}
    />,
  );
  expect(screen.getByRole("heading", { name: "Empty Cart" })).toBeTruthy();
  expect(screen.getByText("Please add items to your cart before proceeding.")).toBeTruthy();
  expect(screen.queryByRole("textbox")).toBeNull();
});
