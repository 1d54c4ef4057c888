import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { nameCopyButtons, startCopyButtons } from "./copy";

const writeText = vi.fn<(text: string) => Promise<void>>();
const share = vi.fn<(data: ShareData) => Promise<void>>();
const pass = () => vi.advanceTimersByTimeAsync(50);
const button = () => document.querySelector("button") as HTMLButtonElement;
const announced = () => document.querySelector("[data-live]")?.textContent;

function show(how: string, shares = false): void {
  vi.stubGlobal("navigator", { clipboard: { writeText }, ...(shares && { share }) });
  document.body.innerHTML = `<p data-live></p><button ${how}>Share</button>`;
}

startCopyButtons();

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  writeText.mockReset();
  share.mockReset();
});

test("a link is copied, and the button says so for two seconds", async () => {
  show('data-copy="http://luigis.test/specials"');
  button().click();
  await pass();
  expect(writeText).toHaveBeenCalledExactlyOnceWith("http://luigis.test/specials");
  expect([button().textContent, announced()]).toEqual(["Copied!", "Link copied!"]);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(button().textContent).toBe("Share");
});

test("a button that copies what others share says so", () => {
  for (const shares of [false, true]) {
    show("data-share", shares);
    button().innerHTML =
      '<span class="icon-share"></span><span data-label data-copies="Copy link">Share</span>';
    nameCopyButtons();
    expect(button().textContent).toBe(shares ? "Share" : "Copy link");
    expect(button().firstElementChild?.className).toBe(shares ? "icon-share" : "icon-copy");
  }
});

test("where nothing may be copied it says what to do", async () => {
  writeText.mockRejectedValue(new DOMException("", "NotAllowedError"));
  show('data-copy="http://luigis.test/specials"');
  button().click();
  await pass();
  expect(button().textContent).toBe("Copy failed");
  expect(announced()).toContain("Please copy the URL manually.");
});

test("a device that can share does, and copies when that fails but not when it was closed", async () => {
  show(
    'data-share="http://luigis.test/specials/1" data-share-title="Osso buco" data-share-text="It\'s on"',
    true,
  );
  button().click();
  await pass();
  expect(share).toHaveBeenCalledExactlyOnceWith({
    title: "Osso buco",
    text: "It's on",
    url: "http://luigis.test/specials/1",
  });
  share.mockRejectedValueOnce(new DOMException("", "AbortError"));
  button().click();
  await pass();
  expect(writeText).not.toHaveBeenCalled();
  share.mockRejectedValueOnce(new DOMException("", "NotAllowedError"));
  button().click();
  await pass();
  expect(writeText).toHaveBeenCalledExactlyOnceWith("http://luigis.test/specials/1");
});
