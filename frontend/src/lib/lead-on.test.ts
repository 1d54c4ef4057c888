import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startLeadingOn } from "./lead-on";

beforeEach(() => {
  vi.useFakeTimers();
  document.body.innerHTML = `<main>
    <p data-lead-to="/" hidden>In <span data-seconds>20</span> seconds. <button>Stay here</button></p>
    <a href="/">Go to the home page</a>
  </main>`;
});
afterEach(() => {
  vi.useRealTimers();
});

const words = () => document.querySelector<HTMLElement>("[data-lead-to]");

test("counts down and leads on when the time is over", () => {
  const go = vi.fn();
  startLeadingOn(go);
  expect(words()?.hidden).toBe(false);
  vi.advanceTimersByTime(19_000);
  expect(words()?.querySelector("span")?.textContent).toBe("1");
  expect(go).not.toHaveBeenCalled();
  vi.advanceTimersByTime(60_000);
  expect(go.mock.calls).toEqual([["/"]]);
});

test("stays when it is asked to, and leaves the focus on the link", () => {
  const go = vi.fn();
  startLeadingOn(go);
  document.querySelector("button")?.click();
  vi.advanceTimersByTime(60_000);
  expect(go).not.toHaveBeenCalled();
  expect(words()?.hidden).toBe(true);
  expect(document.activeElement?.textContent).toBe("Go to the home page");
});

test.each(["blur", "keydown", "wheel"])(
  "stays when the reader does something else: %s",
  (doing) => {
    const go = vi.fn();
    startLeadingOn(go);
    dispatchEvent(new Event(doing));
    vi.advanceTimersByTime(60_000);
    expect(go).not.toHaveBeenCalled();
    expect(words()?.hidden).toBe(true);
  },
);

test("does not redirect from a page without a destination", () => {
  document.body.innerHTML = "<main></main>";
  const go = vi.fn();
  startLeadingOn(go);
  vi.advanceTimersByTime(60_000);
  expect(go).not.toHaveBeenCalled();
});
