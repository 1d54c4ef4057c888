import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createQueryClient } from "@/api/query-client";
import type { Profile } from "@/api/types";
import { Toaster } from "@/ui/toaster";
import { SettingsTab } from "./settings-tabs";
import { SocialForm } from "./social-form";
import { TierComparison } from "./tier-comparison";

const fees = {
  freeRate: 300,
  brandedRate: 500,
  monthlyFee: "",
  processingRate: 490,
  processingFixedCents: 30,
  freeOffers: 10,
};

function show(content: React.ReactNode): void {
  render(
    <QueryClientProvider client={createQueryClient()}>
      {content}
      <Toaster />
    </QueryClientProvider>,
  );
}

const instagram = () => screen.getByRole<HTMLInputElement>("textbox", { name: /Instagram/ });

beforeEach(() => {
  vi.stubGlobal("fetch", async () => new Response("", { status: 500 }));
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test("a profile that cannot be loaded says so and can be asked for again", async () => {
  show(<SettingsTab />);
  const sentence = "Failed to load restaurant details. Please try refreshing the page.";
  await screen.findByText(sentence);
  vi.stubGlobal("fetch", () => new Promise(() => {}));
  fireEvent.click(screen.getByRole("button", { name: "Try again" }));
  await waitFor(() => expect(screen.queryByText(sentence)).toBeNull());
});

test("links that cannot be saved say so and stay typed", async () => {
  const profile = { socialMediaLinks: {} } as Profile;
  show(<SocialForm profile={profile} />);
  fireEvent.change(instagram(), { target: { value: "luigis" } });
  fireEvent.click(screen.getByRole("button", { name: "Save Social Media Links" }));
  // In a toast and at the form.
  await waitFor(() =>
    expect(screen.getAllByText("Failed to update social media links")).toHaveLength(2),
  );
  expect(instagram().value).toBe("luigis");
});

test("a tier's badge is that of the present or the recommended one, and its share is explained", () => {
  show(
    <TierComparison
      fees={fees}
      current="free"
      brandedPoints={["Unlimited specials"]}
      upgradeUrl="/subscribe"
    />,
  );
  expect(screen.getByText("Current plan")).toBeTruthy();
  expect(screen.getByText("Recommended for your own brand")).toBeTruthy();
  expect(screen.getByRole("heading", { name: "How Revenue Sharing Works" })).toBeTruthy();
  cleanup();
  show(
    <TierComparison
      fees={fees}
      current="branded"
      brandedPoints={["Unlimited specials"]}
      upgradeUrl="/subscribe"
    />,
  );
  expect(screen.queryByText(/Recommended/)).toBeNull();
  expect(screen.queryByRole("link", { name: "Upgrade to Branded Tier" })).toBeNull();
});
