import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { OnArrival } from "./held";

afterEach(cleanup);

test.each([
  [1, "Show or say the code of your dish."],
  [3, "Show or say the code of each dish."],
])("for %i dishes it is said once what to know on arrival", (dishes, show) => {
  render(<OnArrival dishes={dishes} notes={["Ask for Luisa."]} />);
  expect(screen.getByRole("heading").textContent).toBe("When you arrive");
  expect(screen.getAllByText("Ask for Luisa.")).toHaveLength(1);
  expect(screen.getByText(show)).toBeTruthy();
});

test("where nothing is held there is nothing to say of an arrival", () => {
  render(<OnArrival dishes={0} notes={[]} />);
  expect(document.body.textContent).toBe("");
});
