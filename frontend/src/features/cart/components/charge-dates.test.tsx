import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import type { CartOffer } from "@/api/types";
import { ChargeDates } from "./charge-dates";

afterEach(cleanup);

test("each special has the moment of its charge, its amount with tax, and the condition", () => {
  const shown = (offerId: string, name: string, offer: Partial<CartOffer>) => ({
    item: { offerId, name, unitCents: 1800, quantity: 1 },
    offer: offer as CartOffer,
    formerCents: null,
  });
  render(
    <ChargeDates
      taxRate="8.00"
      items={[
        shown("a", "Osso Buco", { chargedOn: "Tue, Nov 24, 6:00 PM EST", chargeClause: "" }),
        shown("b", "Penne", {
          chargedOn: "Wed, Nov 25, 6:00 PM EST",
          chargeClause: "if 12 portions are ordered",
        }),
      ]}
    />,
  );
  const texts = (tag: "term" | "definition") =>
    screen.getAllByRole(tag).map((each) => each.textContent?.replaceAll("\u00a0", " "));
  expect(texts("term")).toEqual(["Tue, Nov 24, 6:00 PM EST", "Wed, Nov 25, 6:00 PM EST"]);
  expect(texts("definition")).toEqual([
    "$19.44 Osso Buco",
    "$19.44 Penne, if 12 portions are ordered",
  ]);
});
