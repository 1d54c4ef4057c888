import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen, within } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { createQueryClient } from "@/api/query-client";
import { WelcomeDialog } from "./welcome-dialog";

afterEach(cleanup);

test("the welcome has five steps, four points, a testimonial and the way on", () => {
  render(
    <QueryClientProvider client={createQueryClient()}>
      <WelcomeDialog onDone={() => {}} />
    </QueryClientProvider>,
  );
  const dialog = within(screen.getByRole("dialog", { name: "How To Get Fully Booked" }));
  const [steps, points] = dialog.getAllByRole("list");
  const titles = [...(steps?.querySelectorAll("li > strong") ?? [])];
  expect(titles.map((each) => each.textContent)).toEqual([
    "Fill in your profile",
    "Connect payments",
    "Add your social pages",
    "Create special offers",
    "Announce them",
  ]);
  expect(dialog.getByRole("heading", { name: "Going forward" })).toBeTruthy();
  expect([...(points?.querySelectorAll("li") ?? [])].map((each) => each.textContent)).toEqual([
    "Cards are held, not charged, until the deadline.",
    "Minimum met: every card is charged and you cook exactly what's ordered.",
    "Minimum missed: every hold is released and no one pays, including you.",
    "Your dashboard starts with what needs your attention today.",
  ]);
  expect(dialog.getByRole("figure").textContent).toMatch(
    /^“Tuesday was our quietest night\..*Luigi, from our demo restaurant$/,
  );
  expect(dialog.getByText("You won't see this again after you continue.")).toBeTruthy();
  expect(dialog.getByRole("button", { name: "Start" })).toBeTruthy();
});
