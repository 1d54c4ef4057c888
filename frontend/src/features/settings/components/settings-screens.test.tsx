import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen, within } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { createQueryClient } from "@/api/query-client";
import { places, profile } from "../testing";
import { MarketingSettings } from "./marketing-settings";
import { BrandedSettings, FreeSettings } from "./settings-screens";
import type { TierComparisonProps } from "./tier-comparison";

const socialMediaLinks = {
  facebook: "https://facebook.com/luigis",
  instagram: "",
  twitter: "https://twitter.com/luigisnyc",
};
const tiers: TierComparisonProps = {
  fees: {
    freeRate: 300,
    brandedRate: 500,
    monthlyFee: "",
    processingRate: 490,
    processingFixedCents: 30,
    freeOffers: 10,
  },
  current: "free",
  brandedPoints: ["Unlimited specials"],
  upgradeUrl: "/subscribe",
};
const hubUrl = "/free-tier-dashboard";
const settings = {
  profile,
  places,
  tiers,
  welcome: "Luisa",
  section: "",
  hubUrl,
  paymentSetup: <p>Payments</p>,
};

const show = (content: React.ReactNode) =>
  render(<QueryClientProvider client={createQueryClient()}>{content}</QueryClientProvider>);
const leadsTo = (name: string) => screen.getByRole("link", { name }).getAttribute("href");

afterEach(cleanup);

test("free settings welcome by name, lead back to the hub, and twice to the upgrade", () => {
  show(<FreeSettings {...settings} />);
  expect(leadsTo("Back to Dashboard")).toBe("/free-tier-dashboard");
  expect(leadsTo("Upgrade")).toBe("/subscribe");
  expect(
    screen.getByText("Welcome, Luisa. Three steps to help guests find, follow, and pay you."),
  ).toBeTruthy();
  const card = screen.getByRole("region", { name: "Unlimited specials under your own brand" });
  const upgrade = within(card).getByRole("link", { name: "Upgrade to Branded Tier" });
  expect(upgrade.getAttribute("href")).toBe("/subscribe");
});

test("branded settings lead back to the hub and have two tabs and no upgrade", () => {
  show(<BrandedSettings {...settings} tiers={{ ...tiers, current: "branded" }} />);
  expect(leadsTo("Back to Dashboard")).toBe("/free-tier-dashboard");
  expect(screen.getAllByRole("tab").map((each) => each.textContent)).toEqual([
    "Restaurant Settings",
    "Subscription",
  ]);
  expect(screen.queryByRole("link", { name: /Upgrade/ })).toBeNull();
});

test("marketing settings lead back to the hub and have two tabs", () => {
  show(<MarketingSettings profile={profile} tiers={tiers} hubUrl={hubUrl} />);
  expect(leadsTo("Back to Dashboard")).toBe("/free-tier-dashboard");
  expect(screen.getAllByRole("tab").map((each) => each.textContent)).toEqual([
    "Marketing Settings",
    "Tier",
  ]);
});

test("marketing settings show four facts to read only, and the links there are", () => {
  show(
    <MarketingSettings profile={{ ...profile, socialMediaLinks }} tiers={tiers} hubUrl={hubUrl} />,
  );
  const facts = within(screen.getByRole("region", { name: "Your restaurant" }));
  expect(facts.getAllByRole("term").map((each) => each.textContent)).toEqual([
    "Name",
    "Email",
    "Phone",
    "Address",
  ]);
  expect(facts.getAllByRole("definition").map((each) => each.textContent)).toEqual([
    "Luigi's",
    "hello@luigis.test",
    "(212) 555-0100",
    "12 Mulberry Street, New York, NY 10013",
  ]);
  expect(facts.queryByRole("textbox")).toBeNull();
  const links = within(screen.getByRole("region", { name: "Current social links" }));
  expect(links.getAllByRole("link").map((each) => each.getAttribute("href"))).toEqual([
    "https://facebook.com/luigis",
    "https://twitter.com/luigisnyc",
  ]);
  cleanup();
  show(<MarketingSettings profile={{ ...profile, phone: "" }} tiers={tiers} hubUrl={hubUrl} />);
  expect(screen.getByText("Not set yet")).toBeTruthy();
  expect(screen.getByText(/^No links yet\./)).toBeTruthy();
});
