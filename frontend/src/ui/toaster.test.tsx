import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { showError, showSuccess, Toaster } from "./toaster";

const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));
const shown = (title: string) => screen.queryByText(title) !== null;

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

test("a notification stays for five seconds", async () => {
  render(<Toaster />);
  act(() => void showSuccess("Saved"));
  await pass(4_900);
  expect(shown("Saved")).toBe(true);
  await pass(1_000);
  expect(shown("Saved")).toBe(false);
});

test("the newest takes the place of the one before", async () => {
  render(<Toaster />);
  act(() => void showSuccess("First"));
  await pass(1_000);
  act(() => void showError("Second", "Why"));
  await pass(1_000);
  const visible = document.querySelectorAll("[data-sonner-toast][data-visible=true]");
  expect([...visible].map((toast) => toast.textContent)).toEqual(["SecondWhy"]);
});
