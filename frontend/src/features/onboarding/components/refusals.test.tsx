import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createQueryClient } from "@/api/query-client";
import { Toaster } from "@/ui/toaster";
import { SetPasswordForm } from "./set-password-form";
import { WelcomeDialog } from "./welcome-dialog";

const fetched = vi.fn<(path: string) => Promise<Response>>();
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
  vi.stubGlobal("fetch", fetched);
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  fetched.mockReset();
  sessionStorage.clear();
  localStorage.clear();
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
