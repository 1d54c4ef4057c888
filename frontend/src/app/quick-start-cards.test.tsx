import { QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { createQueryClient } from "@/api/query-client";
import { Finish } from "@/features/quick-start/components/finish";
import { QuickStartHeader } from "@/features/quick-start/components/header";
import { UpgradeCard } from "@/features/quick-start/components/upgrade-card";
import { Toaster } from "@/ui/toaster";
import { ErrorBanner, PasswordCard, ProfileCard } from "./quick-start-cards";

function show(content: React.ReactNode): void {
  render(
    <QueryClientProvider client={createQueryClient()}>
      {content}
      <Toaster />
    </QueryClientProvider>,
  );
}

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test("the password card creates one, then offers to update it", async () => {
  vi.stubGlobal("fetch", async () => new Response("{}"));
  const onSet = vi.fn();
  show(<PasswordCard onSet={onSet} />);
  expect(screen.getByRole("heading").textContent).toBe("Create Account Password");
  fireEvent.change(screen.getByLabelText("Password"), { target: { value: "basil-and-lemon-1" } });
  fireEvent.click(screen.getByRole("button", { name: "Set Password" }));
  await screen.findByRole("heading", { name: "Update Account Password" });
  expect(onSet).toHaveBeenCalledOnce();
});

test("the end says that the announcement is ready and leaves two seconds later", async () => {
  vi.useFakeTimers();
  const assign = vi.spyOn(location, "assign").mockImplementation(() => {});
  show(<Finish ready hint="" hubUrl="/free-tier-dashboard" />);
  fireEvent.click(screen.getByRole("button", { name: "Complete Setup & Go to Dashboard" }));
  await act(() => vi.advanceTimersByTimeAsync(1_900));
  expect(screen.getByText("Announcement Ready!")).toBeTruthy();
  expect(
    screen.getByText("Your special offers are ready to share. Redirecting to dashboard..."),
  ).toBeTruthy();
  expect(assign).not.toHaveBeenCalled();
  await act(() => vi.advanceTimersByTimeAsync(200));
  expect(assign).toHaveBeenCalledExactlyOnceWith("/free-tier-dashboard");
});

test("the upgrade card leads to the plans", () => {
  show(<UpgradeCard summary="Unlimited specials." upgradeUrl="/subscribe" />);
  expect(screen.getByRole("heading", { name: "Want More Features?" })).toBeTruthy();
  expect(screen.getByRole("link", { name: "Upgrade Now" }).getAttribute("href")).toBe("/subscribe");
});

test("the header leads back and to the other plan, and welcomes by name", () => {
  const links = { hubUrl: "/free-tier-dashboard", upgradeUrl: "/subscribe" };
  show(<QuickStartHeader name="Luisa" isFree {...links} />);
  const leadsTo = (name: string) => screen.getByRole("link", { name }).getAttribute("href");
  expect(leadsTo("Back to Dashboard")).toBe("/free-tier-dashboard");
  expect(leadsTo("Upgrade")).toBe("/subscribe");
  expect(screen.getByText("Welcome, Luisa")).toBeTruthy();
  expect(screen.getByText("Free Tier")).toBeTruthy();
});

test("the name says that it is being saved, and then when it was", async () => {
  vi.useFakeTimers();
  vi.setSystemTime(new Date(2027, 2, 22, 17, 5));
  let answer: (response: Response) => void = () => {};
  vi.stubGlobal(
    "fetch",
    () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
  );
  show(
    <ProfileCard
      restaurant={{
        id: "1",
        name: "Sole",
        subdomain: "sole",
        subscriptionTier: "free",
        publicUrl: "http://sole.example.com/",
        country: "US",
        timezone: "America/New_York",
      }}
      account={{ name: "Sofia", email: "sofia@example.com", hasPassword: true }}
      address={{ suffix: ".example.com", reserved: [], isChosen: true }}
      menuUrl="http://sole.example.com/menu"
      embedUrl="http://sole.example.com/embed"
      countries={[]}
      isNamed
      onChange={() => {}}
      onNamed={() => {}}
    />,
  );
  const name = screen.getByLabelText("Restaurant name");
  fireEvent.change(name, { target: { value: "Trattoria Sole" } });
  fireEvent.blur(name);
  await act(() => vi.advanceTimersByTimeAsync(50));
  expect(screen.getByText("Saving...")).toBeTruthy();
  answer(new Response("{}"));
  await act(() => vi.advanceTimersByTimeAsync(50));
  expect(screen.getByText(/^All changes saved at 5:05\sPM$/)).toBeTruthy();
});

test("what is wrong with the page stands in a banner that is read aloud", () => {
  show(<ErrorBanner>We couldn't load your specials.</ErrorBanner>);
  expect(screen.getByRole("alert").textContent).toBe("We couldn't load your specials.");
});
