import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { OnArrival } from "./held";

afterEach(cleanup);

const ARRIVAL = { serveDate: "2099-11-25", day: "Wed, Nov 25", notes: ["Ask for Luisa."] };

test.each([
  [1, false, "When you arrive", "Show or say the code of your dish."],
  [3, false, "When you arrive", "Show or say the code of each dish."],
  [2, true, "When you arrive on Wed, Nov 25", "Show or say the code of each dish."],
])("for %i dishes of a day it is said once what to know on arrival", (number, ...facts) => {
  const [namesDay, title, show] = facts;
  const held = Array(number).fill({}) as never[];
  render(<OnArrival held={held} arrival={ARRIVAL} namesDay={namesDay} />);
  expect(screen.getByRole("heading").textContent).toBe(title);
  expect(screen.getAllByText("Ask for Luisa.")).toHaveLength(1);
  expect(screen.getByText(show)).toBeTruthy();
});

test.each([
  ["is held", 0, ARRIVAL],
  ["is known", 2, undefined],
])("where nothing %s there is nothing to say", (_, number, arrival) => {
  const held = Array(number).fill({}) as never[];
  render(<OnArrival held={held} arrival={arrival} namesDay={false} />);
  expect(document.body.textContent).toBe("");
});
