import { QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createQueryClient } from "@/api/query-client";
import { SetupWizard } from "./setup";
import { SubdomainSetup } from "./subdomain-setup";

const setup = {
  restaurant: {
    id: "1",
    name: "Trattoria Sole",
    subdomain: "trattoria-sole",
    subscriptionTier: "free",
    publicUrl: "http://trattoria-sole.example.com/",
    country: "US",
    timezone: "America/New_York",
  },
  account: { name: "Sofia", email: "sofia@example.com", hasPassword: true },
  address: { suffix: ".example.com", reserved: ["www"], isChosen: false },
  dashboardUrl: "/restaurant",
  steps: [],
};
const links = {
  menuUrl: "http://trattoria-sole.example.com/menu",
  embedUrl: "http://trattoria-sole.example.com/embed",
};
const assign = vi.spyOn(location, "assign");
const fetched = vi.fn<(path: string) => Promise<Response>>();

const show = (content: React.ReactNode) =>
  render(<QueryClientProvider client={createQueryClient()}>{content}</QueryClientProvider>);
const skip = () => screen.queryByRole("link", { name: "Skip for now" })?.getAttribute("href");
const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("fetch", fetched);
  assign.mockReset();
  assign.mockImplementation(() => {});
});

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  fetched.mockReset();
  history.replaceState(null, "", "/");
});

test.each([
  [false, ["welcome", "subdomain"]],
  [true, ["welcome", "subdomain", "embed"]],
])("a setup (branded: %s) can be skipped at every step before its end", (isBranded, steps) => {
  for (const step of steps) {
    history.replaceState(null, "", `/?step=${step}`);
    show(<SetupWizard {...setup} {...links} isBranded={isBranded} />);
    expect(skip()).toBe("/restaurant");
    cleanup();
  }
  history.replaceState(null, "", "/?step=complete");
  show(<SetupWizard {...setup} {...links} isBranded={isBranded} />);
  expect(skip()).toBeUndefined();
  const on = screen.getByRole("link", { name: "Go to your dashboard" });
  expect(on.getAttribute("href")).toBe("/restaurant");
  expect(fetched).not.toHaveBeenCalled();
});

test("choosing an address can be skipped, and nothing is saved or left by itself", async () => {
  show(<SubdomainSetup {...setup} isChosen={false} />);
  expect(skip()).toBe("/restaurant");
  await pass(5_000);
  expect(assign).not.toHaveBeenCalled();
});

test("whoever chose an address before is told so and led to the dashboard", async () => {
  show(<SubdomainSetup {...setup} isChosen />);
  expect(screen.getByRole("heading").textContent).toBe("Your address is already set up");
  expect(screen.getByRole("status").textContent).toBe(
    "Guests find you at trattoria-sole.example.com. Opening your dashboard…",
  );
  await pass(1_400);
  expect(assign).not.toHaveBeenCalled();
  await pass(200);
  expect(assign).toHaveBeenCalledExactlyOnceWith("/restaurant");
});

test("choosing another address stays on the page", async () => {
  show(<SubdomainSetup {...setup} isChosen />);
  fireEvent.click(screen.getByRole("button", { name: "Change address" }));
  expect(screen.getByRole("heading").textContent).toBe("Choose your web address");
  await pass(5_000);
  expect(assign).not.toHaveBeenCalled();
});
