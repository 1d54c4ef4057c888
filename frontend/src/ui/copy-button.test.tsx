import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { CopyButton, copyText } from "./copy-button";
import { Toaster } from "./toaster";

const writeText = vi.fn<(text: string) => Promise<void>>();
const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));
const button = () => screen.getByRole("button", { name: /Copy|Copied/ });

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("navigator", { ...navigator, clipboard: { writeText } });
  render(
    <>
      <CopyButton text="http://luigis.test/specials" label="Copy link" />
      <Toaster />
    </>,
  );
});

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  writeText.mockReset();
});

test("says that it has copied, on the button for two seconds and in a toast", async () => {
  writeText.mockResolvedValue();
  fireEvent.click(button());
  await pass(50);
  expect(writeText).toHaveBeenCalledExactlyOnceWith("http://luigis.test/specials");
  expect(screen.getByText("Link copied!")).toBeTruthy();
  expect(button().textContent).toBe("Copied");
  await pass(1_900);
  expect(button().textContent).toBe("Copied");
  await pass(100);
  expect(button().textContent).toBe("Copy link");
});

test("says what to do where nothing may be copied", async () => {
  writeText.mockRejectedValue(new DOMException("", "NotAllowedError"));
  fireEvent.click(button());
  await pass(50);
  expect(screen.getByText("Copy failed")).toBeTruthy();
  expect(
    screen.getByText("Unable to copy to clipboard. Please copy the URL manually."),
  ).toBeTruthy();
  expect(button().textContent).toBe("Copy link");
});

test("a text that may not be copied isn't called a URL", async () => {
  writeText.mockRejectedValue(new DOMException("", "NotAllowedError"));
  await act(() => copyText("Lasagna on Thursday: http://luigis.test/s/1f3a9c20"));
  await pass(50);
  expect(
    screen.getByText("Unable to copy to clipboard. Select the text and copy it."),
  ).toBeTruthy();
});
