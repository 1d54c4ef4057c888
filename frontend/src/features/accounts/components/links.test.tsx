import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { storedUser } from "@/lib/stored-session";
import { Toaster } from "@/ui/toaster";
import { ResetPassword } from "./reset-password";
import { VerifyEmail } from "./verify-email";

const fetch = vi.fn<(path: string, options: RequestInit) => Promise<Response>>();
const guard = { siteKey: "", startedAt: "signed", minimumSeconds: 0 };
const answer = (status: number, body: unknown) => async () =>
  new Response(JSON.stringify(body), { status });

let replace: ReturnType<typeof vi.spyOn>;
let links = 0;

const pass = (time: number) => act(() => vi.advanceTimersByTimeAsync(time));

/** Opens a link no one has opened before. */
async function verify(email = "sofia@example.com") {
  links += 1;
  render(
    <>
      <VerifyEmail email={email} token={`link-${links}`} next="/tier-selection" {...guard} />
      <Toaster />
    </>,
  );
  expect(screen.getByRole("heading").textContent).toBe("Verifying your email…");
  await pass(50);
}

async function reset(token = "token") {
  render(
    <>
      <ResetPassword token={token} />
      <Toaster />
    </>,
  );
  await pass(50);
}

async function choose(password: string, confirmation = password) {
  fireEvent.change(screen.getByLabelText("New password"), { target: { value: password } });
  const repeated = screen.getByLabelText("Repeat the new password");
  fireEvent.change(repeated, { target: { value: confirmation } });
  fireEvent.click(screen.getByRole("button", { name: "Change password" }));
  await pass(50);
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("fetch", fetch);
  replace = vi.spyOn(window.location, "replace").mockImplementation(() => undefined);
});

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  fetch.mockReset();
  localStorage.clear();
});

test("a good link signs in, keeps display data alone, and goes on after 1.5 s", async () => {
  const user = { name: "Sofia", isRestaurantOwner: true, hasCompletedOnboarding: false };
  fetch.mockImplementation(
    answer(200, { user, restaurant: { name: "Sole" }, signedIn: true, token: null }),
  );
  await verify();
  expect(screen.getByRole("heading").textContent).toBe("Your email is confirmed");
  expect(storedUser()).toEqual({ ...user, restaurantName: "Sole" });
  await pass(1400);
  expect(replace).not.toHaveBeenCalled();
  await pass(100);
  expect(replace).toHaveBeenCalledWith("/tier-selection");
});

test("an account that was there before signs in as always", async () => {
  const user = { name: "Sofia", isRestaurantOwner: true, hasCompletedOnboarding: true };
  fetch.mockImplementation(answer(200, { user, restaurant: null, signedIn: false, token: null }));
  await verify();
  await pass(1500);
  expect(storedUser()).toBeNull();
  expect(replace).toHaveBeenCalledWith("/login");
});

test.each([
  ["bad, expired or used", answer(400, { message: "x" }), "Invalid Confirmation Link"],
  ["refused", answer(429, { message: "Too many attempts." }), "Verification failed"],
  ["broken", answer(500, {}), "Something went wrong"],
  ["unreachable", () => Promise.reject(new TypeError()), "Something went wrong"],
])("a link that is %s: says so and offers a new one", async (_name, behave, title) => {
  fetch.mockImplementation(behave);
  await verify();
  expect(screen.getByRole("heading").textContent).toBe(title);
  fetch.mockImplementation(answer(200, { message: "sent" }));
  fireEvent.click(screen.getByRole("button", { name: "Resend verification email" }));
  await pass(1000);
  expect(screen.getByText(/We sent a new link to sofia@example.com/)).toBeTruthy();
});

test("a reset link without a token is refused without a call", async () => {
  await reset("");
  expect(screen.getByText("Invalid or missing reset token")).toBeTruthy();
  expect(fetch).not.toHaveBeenCalled();
});

test("a link that has ended offers a new one", async () => {
  fetch.mockImplementation(answer(200, { valid: false }));
  await reset();
  expect(screen.getByText(/invalid or has expired/)).toBeTruthy();
  expect(screen.getByRole("button", { name: "Send reset link" })).toBeTruthy();
});

test("a new password leads to sign-in after 1.5 s", async () => {
  fetch.mockImplementation(answer(200, { valid: true, message: "done" }));
  await reset();
  await choose("basil-and-lemon", "basil-and-lime");
  expect(screen.getByText("Passwords do not match")).toBeTruthy();
  await choose("basil-and-lemon");
  expect(screen.getByRole("heading").textContent).toBe("Password changed");
  await pass(1400);
  expect(replace).not.toHaveBeenCalled();
  await pass(150);
  expect(replace).toHaveBeenCalledWith("/login");
});

test("the server's refusal of a password stands at its field", async () => {
  fetch.mockImplementation(answer(200, { valid: true }));
  await reset();
  const message = "This password is too common. Choose another one.";
  fetch.mockImplementation(answer(400, { message, errors: [{ field: "password", message }] }));
  await choose("password1");
  expect(screen.getByText("Failed to reset password")).toBeTruthy();
  expect(screen.getAllByText(message).length).toBeGreaterThan(0);
});
