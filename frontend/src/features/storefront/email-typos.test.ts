import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { watchForTypos } from "./email-typos";

beforeAll(watchForTypos);

beforeEach(() => {
  vi.useFakeTimers();
  Element.prototype.scrollIntoView = () => {};
  document.body.innerHTML = `<form><div class="field"><label for="email">Email</label>
    <input id="email" type="email"><p class="error"></p></div><button>Send</button></form>`;
  return () => vi.useRealTimers();
});

afterAll(() => document.body.replaceChildren());

const field = () => document.querySelector<HTMLInputElement>("#email") as HTMLInputElement;
const suggestion = () => document.querySelector<HTMLButtonElement>("[role=status] button");

async function type(text: string): Promise<void> {
  field().focus();
  field().value = text;
  field().dispatchEvent(new Event("input", { bubbles: true }));
  await vi.advanceTimersByTimeAsync(600);
}

test("a slip is asked about below the field, and one press corrects it", async () => {
  const heard = vi.fn();
  await type("grace@gmial.con");
  expect(field().nextElementSibling?.getAttribute("role")).toBe("status");
  expect(suggestion()?.textContent).toBe("Did you mean grace@gmail.com?");
  field().form?.addEventListener("input", heard);
  suggestion()?.click();
  expect(field().value).toBe("grace@gmail.com");
  expect(heard).toHaveBeenCalledOnce();
  expect(document.activeElement).toBe(field());
  await vi.runAllTimersAsync();
  expect(suggestion()).toBeNull();
});

test("what is still being typed is looked at when the field is left", async () => {
  await type("grace@gmail.co");
  expect(suggestion()).toBeNull();
  field().blur();
  await vi.advanceTimersByTimeAsync(100);
  expect(suggestion()).toBeNull(); // a button that is being pressed doesn't move
  await vi.advanceTimersByTimeAsync(200);
  expect(suggestion()?.textContent).toContain("grace@gmail.com");
});

test("a form with a slip is held back once to ask, and sent as it is when pressed again", async () => {
  const sent = vi.fn((event: Event) => event.preventDefault());
  field().form?.addEventListener("submit", sent);
  field().value = "grace@gmial.com";
  field().form?.requestSubmit();
  expect(sent).not.toHaveBeenCalled();
  expect(document.activeElement).toBe(suggestion());
  expect(suggestion()?.textContent).toBe("Did you mean grace@gmail.com?");
  expect(suggestion()?.parentElement?.textContent).toContain("If it's right, send it again.");
  field().form?.requestSubmit();
  expect(sent).toHaveBeenCalledOnce();
});

test("typing on takes the question away, and an address that is right gets none", async () => {
  await type("grace@gmial.com");
  expect(suggestion()).not.toBeNull();
  await type("grace@icloud.com");
  expect(suggestion()).toBeNull();
  expect(document.querySelectorAll("[role=status]")).toHaveLength(1);
});

test("what was typed before the script was there is looked at", async () => {
  field().value = "grace@gmial.com";
  watchForTypos();
  await vi.advanceTimersByTimeAsync(300);
  expect(suggestion()).not.toBeNull();
});

test("a field that had the focus before the script was there has the place for its question", () => {
  watchForTypos();
  expect(field().nextElementSibling?.getAttribute("role")).toBe("status");
  expect(suggestion()).toBeNull();
});

test("what can be no address is marked when the field is left, until it is one", async () => {
  const error = () => document.querySelector(".error")?.textContent;
  field().dataset.missing = "Valid email is required";
  await type("grace@");
  expect(error()).toBe("");
  field().blur();
  await vi.advanceTimersByTimeAsync(300);
  expect([error(), field().getAttribute("aria-invalid")]).toEqual([
    "Valid email is required",
    "true",
  ]);
  await type("grace@example.com");
  expect([error(), field().hasAttribute("aria-invalid")]).toEqual(["", false]);
  await type("");
  field().blur();
  await vi.advanceTimersByTimeAsync(300);
  expect(error()).toBe("");
});
