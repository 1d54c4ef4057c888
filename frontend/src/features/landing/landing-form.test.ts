import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startLandingForm } from "./landing-form";

const sendConfirmation = vi.hoisted(() => vi.fn<(sent: object) => Promise<void>>());
vi.mock("@/api/send-confirmation", () => ({ sendConfirmation }));

/** The page as the server renders it, loaded again: a reload keeps only the session storage. */
function load(): void {
  document.body.innerHTML = `<form data-landing-form>
      <input type="hidden" name="startedAt" value="signed"><input name="website">
      <div data-notice hidden><b data-notice-title></b><i data-notice-text></i></div>
      <input name="email"><button type="submit">Get started free</button><p data-error></p>
    </form>
    <div data-landing-sent hidden tabindex="-1"><b data-sent-to></b><a href="/" data-landing-again></a>
      <button data-landing-resend hidden></button><span data-resend-status></span></div>`;
  startLandingForm();
}

const find = <Kind extends HTMLElement>(selector: string) =>
  document.querySelector(selector) as Kind;
const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);

async function ask(email: string): Promise<void> {
  find<HTMLInputElement>("[name=email]").value = email;
  find<HTMLFormElement>("form").dispatchEvent(new SubmitEvent("submit", { cancelable: true }));
  await pass(1_000);
}

beforeEach(() => {
  vi.useFakeTimers();
  sessionStorage.clear();
  sendConfirmation.mockResolvedValue();
  load();
});

afterEach(() => {
  vi.useRealTimers();
  vi.clearAllMocks();
  document.body.replaceChildren();
});

test("a reload still says where the link was sent", async () => {
  await ask("pia@trattoria.test");
  load();
  expect(find("[data-landing-sent]").hidden).toBe(false);
  expect(find("[data-sent-to]").textContent).toBe("pia@trattoria.test");
  expect(find("form").hidden).toBe(true);
});

test("the email can be sent again, at most every 30 seconds", async () => {
  await ask("pia@trattoria.test");
  const again = find<HTMLButtonElement>("[data-landing-resend]");
  expect(again.hidden).toBe(false);
  again.click();
  await pass(1_000);
  expect(find("[data-resend-status]").textContent).toBe("Sent again. The newest link works.");
  again.click();
  await pass(28_000);
  again.click();
  expect(sendConfirmation).toHaveBeenCalledTimes(2);
  await pass(2_000);
  again.click();
  await pass(1_000);
  expect(sendConfirmation).toHaveBeenCalledTimes(3);
});

test("another email begins again, after a reload too", async () => {
  await ask("pia@trattoria.test");
  find("[data-landing-again]").click();
  load();
  expect(find("[data-landing-sent]").hidden).toBe(true);
  expect(find("form").hidden).toBe(false);
});
