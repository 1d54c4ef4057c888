import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Dialog } from "./dialog";
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

test("a dialog that opens takes away what was said before it, and nothing said with it", async () => {
  const dialog = (open: boolean) => (
    <>
      <Toaster />
      <Dialog open={open} title="Refund" onClose={() => {}}>
        How much?
      </Dialog>
    </>
  );
  const staying = () => {
    const toasts = document.querySelectorAll("[data-sonner-toast][data-removed=false]");
    return [...toasts].map((toast) => toast.textContent);
  };
  const { rerender } = render(dialog(false));
  act(() => void showSuccess("Order canceled"));
  await pass(1_500);
  expect(staying()).toEqual(["Order canceled"]);
  rerender(dialog(true));
  await pass(100);
  expect(staying()).toEqual([]);

  rerender(dialog(false));
  act(() => void showSuccess("Saved"));
  rerender(dialog(true));
  await pass(100);
  expect(staying()).toEqual(["Saved"]);
});
