import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import type { SetupStep } from "@/api/types";
import { NextStep, StepsLeft } from "./next-step";

const step = (key: SetupStep["key"], isDone: boolean, isNeeded = true): SetupStep => ({
  key,
  title: `Do ${key}`,
  text: "",
  url: `/free-tier-quick-start?step=${key}`,
  isDone,
  isNeeded,
});

afterEach(cleanup);

test("the first step that guests wait for is on top, with the way to it", () => {
  const steps = [step("name", true), step("special", false), step("payments", false)];
  render(<NextStep steps={steps} />);
  expect(screen.getByText("Step 2 of 3 to your first order")).toBeTruthy();
  const link = screen.getByRole("link", { name: "Do special" });
  expect(link.getAttribute("href")).toBe("/free-tier-quick-start?step=special");
});

test("a step that guests don't wait for isn't the next step", () => {
  render(<NextStep steps={[step("name", true), step("sign_in", false, false)]} />);
  expect(document.body.textContent).toBe("");
});

test("what is left is listed, and what is done is not", () => {
  render(<StepsLeft steps={[step("name", true), step("special", false)]} />);
  expect(screen.getAllByRole("link").map((link) => link.textContent)).toEqual(["Do special"]);
});
