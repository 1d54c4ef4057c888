import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { createQueryClient } from "@/api/query-client";
import type { FeeSchedule } from "@/features/settings/lib/fees";
import { Plans } from "./plans";

const usual: FeeSchedule = {
  freeRate: 300,
  brandedRate: 500,
  monthlyFee: "",
  processingRate: 490,
  processingFixedCents: 30,
  freeOffers: 10,
};
const other: FeeSchedule = {
  freeRate: 275,
  brandedRate: 825,
  monthlyFee: "",
  processingRate: 310,
  processingFixedCents: 47,
  freeOffers: 4,
};
// The table's monthly sales, the example of a share, the order that the calculator starts with, and
// no fee at all.
const EXAMPLES = ["$200", "$500", "$1,000", "$2,000", "$50.00", "0%", "$0.00"];

afterEach(cleanup);

function figures(fees: FeeSchedule): Set<string> {
  const plan = { tier: "free", name: "Free", next: null, downgradeEffects: [] };
  const { container } = render(
    <QueryClientProvider client={createQueryClient()}>
      <Plans
        fees={fees}
        plan={plan}
        current="free"
        brandedPoints={[]}
        upgradeUrl="/subscribe"
        hubUrl="/free-tier-dashboard"
      />
    </QueryClientProvider>,
  );
  const text = container.textContent ?? "";
  cleanup();
  return new Set(text.match(/\$[\d,]+(?:\.\d\d)?|\d+(?:\.\d+)?%|(?:specials? )?\d+ spec\w+/g));
}

test("no figure of the plan page is written down: none stays under another fee schedule", () => {
  const before = figures(usual);
  const after = figures(other);
  expect(before.size).toBeGreaterThan(12);
  for (const figure of ["3%", "5%", "4.9%", "$0.30", "10 special"]) {
    expect([...before]).toContain(figure);
    expect([...after]).not.toContain(figure);
  }
  expect([...before].filter((figure) => after.has(figure) && !EXAMPLES.includes(figure))).toEqual(
    [],
  );
});
