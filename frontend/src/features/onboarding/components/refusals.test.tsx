import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createQueryClient } from "@/api/query-client";
import { Toaster } from "@/ui/toaster";
import { SetPasswordForm } from "./set-password-form";
import { TierCards } from "./tier-cards";
import { WelcomeDialog } from "./welcome-dialog";

const fetched = vi.fn<(path: string) => Promise<Response>>();
const assign = vi.spyOn(location, "assign");
const branded = {
  tier: "branded" as const,
  name: "Rocket",
  plan: "Branded plan",
  price: "5% of each order.",
  share: "5.00",
  points: [],
  current: false,
  next: "/branded-setup",
};

function show(content: React.ReactNode): void {
  render(
    <QueryClientProvider client={createQueryClient()}>
      {content}
      <Toaster />
    </QueryClientProvider>,
  );
}

const press = (name: RegExp) => fireEvent.click(screen.getByRole("button", { name }));
const answer = (status: number, message = "") =>
  fetched.mockResolvedValue(new Response(JSON.stringify({ message }), { status }));

beforeEach(() => {
  assign.mockImplementation(() => {});
  vi.stubGlobal("fetch", fetched);
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  fetched.mockReset();
  assign.mockReset();
  sessionStorage.clear();
  localStorage.clear();
});

test("choosing a plan signed out says so and leads to sign-in", async () => {
  answer(401);
  show(<TierCards tiers={[branded]} />);
  press(/Rocket/);
  await screen.findByText("Login Required");
  expect(String(assign.mock.calls[0]?.[0])).toMatch(/^\/login\?next=/);
});

test("a plan that was not changed says so and stays", async () => {
  answer(503, "Busy.");
  show(<TierCards tiers={[branded]} />);
  press(/Rocket/);
  await screen.findByText("Upgrade Failed");
  expect(screen.getByRole("alert").textContent).toBe("Busy.");
  expect(assign).not.toHaveBeenCalled();
});

test("a plan that was chosen leads to its setup", async () => {
  answer(200);
  show(<TierCards tiers={[branded]} />);
  press(/Rocket/);
  await waitFor(() => expect(assign).toHaveBeenCalledExactlyOnceWith("/branded-setup"));
});

test.each([/^Start/, /^Close/])("%s ends the welcome, which is read once", async (name) => {
  answer(200);
  const done = vi.fn();
  show(<WelcomeDialog onDone={done} />);
  expect(screen.getByText("You won't see this again after you continue.")).toBeTruthy();
  press(name);
  await screen.findByText("Welcome aboard!");
  expect(fetched.mock.calls[0]?.[0]).toBe("/api/onboarding/complete");
  expect(done).toHaveBeenCalledOnce();
});

test("a welcome that could not be saved says so and stays", async () => {
  answer(502);
  const done = vi.fn();
  show(<WelcomeDialog onDone={done} />);
  press(/^Start/);
  await screen.findByText("Error");
  expect(screen.getAllByText("Failed to complete onboarding. Please try again.")).not.toEqual([]);
  expect(done).not.toHaveBeenCalled();
});

test("a first password that the server refuses says so", async () => {
  answer(400, "Too common.");
  show(<SetPasswordForm />);
  fireEvent.change(screen.getByLabelText("Password"), { target: { value: "password123" } });
  press(/Set password/);
  await screen.findByText("Password Creation Failed");
  expect(screen.getAllByText("Too common.").length).toBeGreaterThan(0);
});
