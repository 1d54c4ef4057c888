import { cleanup, render } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { FreeCounter } from "./free-counter";

const plan = { offersPerMonth: 10, laterShare: "3%" };
const AFTER = "carry a 3% platform fee until next month. Upgrade";

afterEach(cleanup);

test.each([
  [7, ""],
  [8, `2 free offers remaining this month. After that, further offers ${AFTER}`],
  [9, `1 free offer remaining this month. After that, further offers ${AFTER}`],
  [10, `You have used your 10 free offers this month. Further offers ${AFTER}`],
])("after %i offers of a month the counter reads %j", (count, words) => {
  const { container } = render(
    <FreeCounter count={count} plan={plan} upgradeUrl="/branded-setup" />,
  );
  expect(container.textContent?.trim()).toBe(words);
});
