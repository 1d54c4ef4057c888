import { QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createQueryClient } from "@/api/query-client";
import { readDraft } from "@/lib/form-draft";
import { Toaster } from "@/ui/toaster";
import { SAVE_TIMEOUT } from "../api/save-subdomain";
import { SubdomainForm } from "./subdomain-form";

const NOT_AVAILABLE =
  "Subdomain is not available or invalid. Use only lowercase letters, numbers, and hyphens.";

const restaurant = {
  id: "1",
  name: "Trattoria Sole",
  subdomain: "trattoria-sole",
  subscriptionTier: "free",
  publicUrl: "http://trattoria-sole.example.com/",
  country: "US",
  timezone: "America/New_York",
};
const account = { name: "Sofia", email: "sofia@example.com", hasPassword: false };
const address = { suffix: ".example.com", reserved: ["www"], isChosen: true };

const save = vi.fn<(options: RequestInit) => Promise<Response>>();
const saved = vi.fn();

const json = (status: number, body: unknown) =>
  Promise.resolve(new Response(JSON.stringify(body), { status }));

async function type(label: string) {
  fireEvent.change(screen.getByLabelText("Your web address"), { target: { value: label } });
  await act(() => vi.advanceTimersByTimeAsync(600));
}

async function press() {
  fireEvent.click(screen.getByRole("button", { name: "Save" }));
  await act(() => vi.advanceTimersByTimeAsync(100));
}

const button = () => screen.getByRole<HTMLButtonElement>("button", { name: "Save" });

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("fetch", (path: string, options: RequestInit) =>
    path.startsWith("/api/subdomain-check") ? json(200, { available: true }) : save(options),
  );
  render(
    <QueryClientProvider client={createQueryClient()}>
      <SubdomainForm {...{ restaurant, account, address }} submitLabel="Save" onSaved={saved} />
      <Toaster />
    </QueryClientProvider>,
  );
});

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  save.mockReset();
  saved.mockReset();
  localStorage.clear();
});

test("an empty or invalid address cannot be saved", async () => {
  await type("");
  expect(button().disabled).toBe(true);
  await type("so le");
  expect(button().disabled).toBe(true);
  expect(screen.getByText("Use only letters, numbers, and hyphens")).toBeTruthy();
  await type("sole");
  expect(screen.getByText("sole.example.com is available")).toBeTruthy();
  expect(button().disabled).toBe(false);
});

test("saves the label in lower case with the account's email (DECISIONS X47)", async () => {
  save.mockReturnValue(json(200, { subdomain: "sole", publicUrl: "http://sole.example.com/" }));
  await type("Sole");
  await press();
  const { method, body } = save.mock.calls[0]?.[0] ?? {};
  expect([method, JSON.parse(String(body))]).toEqual([
    "PUT",
    { subdomain: "sole", email: "sofia@example.com" },
  ]);
  expect(saved).toHaveBeenCalledWith({
    subdomain: "sole",
    publicUrl: "http://sole.example.com/",
  });
});

test("taken in the last moment: says so at the field and keeps what was typed (DECISIONS X48)", async () => {
  const errors = [{ field: "subdomain", message: NOT_AVAILABLE }];
  save.mockReturnValue(json(409, { message: NOT_AVAILABLE, errors, suggestion: "sole-2" }));
  await type("sole");
  await press();
  expect(screen.getByText("Save failed")).toBeTruthy();
  expect(screen.getAllByText(NOT_AVAILABLE).length).toBeGreaterThan(0);
  expect(screen.getByLabelText<HTMLInputElement>("Your web address").value).toBe("sole");
  fireEvent.click(screen.getByRole("button", { name: "sole-2" }));
  expect(screen.getByLabelText<HTMLInputElement>("Your web address").value).toBe("sole-2");
});

test("no answer within 15 seconds shows 'Request timed out'", async () => {
  const stop = new AbortController();
  vi.spyOn(AbortSignal, "timeout").mockReturnValue(stop.signal);
  save.mockImplementation(
    ({ signal }) =>
      new Promise((_resolve, reject) =>
        signal?.addEventListener("abort", () => reject(signal.reason)),
      ),
  );
  await type("sole");
  await press();
  expect(AbortSignal.timeout).toHaveBeenLastCalledWith(SAVE_TIMEOUT);
  await act(async () => stop.abort(new DOMException("late", "TimeoutError")));
  await act(() => vi.advanceTimersByTimeAsync(100));
  expect(screen.getByText("Request timed out")).toBeTruthy();
  expect(button().disabled).toBe(false);
});

test("a lost session leads to sign-in and back here", async () => {
  const assign = vi.spyOn(window.location, "assign").mockImplementation(() => undefined);
  save.mockReturnValue(json(401, { message: "Sign in" }));
  await type("sole");
  await press();
  await act(() => vi.advanceTimersByTimeAsync(100));
  expect(assign.mock.calls[0]?.[0]).toMatch(/^\/login\?next=%2F/);
  expect(saved).not.toHaveBeenCalled();
  expect(readDraft("web_address_form")).toEqual({ label: "sole" });
});
