import { renderHook } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { useBack } from "./use-back";

const back = () =>
  new Promise<void>((done) => {
    addEventListener("popstate", () => setTimeout(done), { once: true });
    history.back();
  });

test("Back is the dialog's as long as it stays, and then the page's", async () => {
  history.replaceState({ page: 1 }, "");
  const onBack = vi.fn(() => true);
  renderHook(() => useBack(onBack));
  expect(history.state).toEqual({ page: 1, dialog: true });
  await back();
  expect(onBack).toHaveBeenCalledTimes(1);
  expect(history.state).toEqual({ page: 1, dialog: true });
  onBack.mockReturnValue(false);
  await back();
  expect(history.state).toEqual({ page: 1 });
});

test("a dialog that its own button closes leaves no entry in the history", async () => {
  history.replaceState({ page: 2 }, "");
  const { unmount } = renderHook(() => useBack(() => false));
  unmount();
  await vi.waitFor(() => expect(history.state).toEqual({ page: 2 }));
});
