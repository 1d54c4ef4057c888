import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Order } from "@/api/types";
import { todayIn } from "@/lib/times";
import { PickupPage } from "./pickup-page";

const maria = {
  id: "11111111-1111-4111-8111-1111abcd2345",
  code: "ABCD2345",
  offerName: "Osso buco",
  servedName: "Osso buco",
  offerServeDate: "2026-11-24",
  customerName: "Maria Rossi",
  quantity: 2,
  note: "No nuts",
  slot: { id: "1", startsAt: "", endsAt: "", label: "6:00–6:30 PM" },
  serviceMode: "dine_in",
  actions: ["pick_up"],
} as unknown as Order;

type Answer = [status: number, body: unknown] | "no connection";
let answers: Record<string, Answer>;
let decision: { status: string; sentence: string } | "no connection" | "signed out";
let calls: string[];

function show() {
  render(
    <PickupPage
      restaurantName="Luigi's"
      today={{ orders: 23, pickedUp: 14, portions: 50, portionsPickedUp: 30 }}
      listUrl="/restaurant?tab=orders"
      dashboardUrl="/restaurant"
      version="1"
      person="1"
      timeZone="America/New_York"
    />,
  );
}

function look(code: string) {
  fireEvent.change(screen.getByRole("textbox", { name: "Code" }), { target: { value: code } });
  fireEvent.submit(screen.getByRole("textbox", { name: "Code" }));
}

beforeEach(() => {
  calls = [];
  answers = {
    "GET /api/orders/changes": [200, { version: "1" }],
    "GET /api/pick-up/today": [
      200,
      { orders: 23, pickedUp: 15, portions: 50, portionsPickedUp: 32 },
    ],
    "GET /api/pick-up?code=abcd+2345": [
      200,
      { verdict: "ready", sentence: "Ready to hand over.", order: maria },
    ],
    "GET /api/pick-up/list": [
      200,
      {
        day: todayIn("America/New_York"),
        readAt: new Date().toISOString(),
        orders: [{ verdict: "ready", sentence: "Hand over 2 portions.", order: maria }],
      },
    ],
    [`POST /api/orders/${maria.id}/undo`]: [200, { order: maria }],
  };
  decision = { status: "picked_up", sentence: "Picked up." };
  vi.stubGlobal("fetch", async (path: string, { method = "GET", body }: RequestInit = {}) => {
    const asked = `${method} ${path}`;
    if (!path.endsWith("/changes")) calls.push(asked);
    if (path === "/api/pick-up/check-ins" && decision !== "no connection") {
      const made = decision;
      if (made === "signed out") return new Response("{}", { status: 401 });
      const { checkIns } = JSON.parse(String(body)) as { checkIns: { id: string }[] };
      return Response.json({
        checkIns: checkIns.map(({ id }) => ({ id: `${id}-as-the-server-writes-it`, ...made })),
      });
    }
    const answer = answers[asked];
    if (!answer || answer === "no connection") throw new TypeError("Failed to fetch");
    return new Response(JSON.stringify(answer[1]), { status: answer[0] });
  });
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test("a code, Enter, Enter: looked up, picked up, counted, and ready for the next guest", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  show();
  expect(screen.getByText("14 of 23")).toBeTruthy();
  look("abcd 2345");
  const verdict = await screen.findByRole("alert");
  for (const words of [
    "Ready to pick up",
    "Maria Rossi",
    "2 ×",
    "Osso buco",
    "6:00–6:30 PM",
    "Dine in",
    "No nuts",
  ]) {
    expect(verdict.textContent).toContain(words);
  }
  const give = screen.getByRole("button", { name: "Mark as picked up" });
  await waitFor(() => expect(document.activeElement).toBe(give));
  fireEvent.click(give);
  await screen.findByText("Picked up");
  await screen.findByText("15 of 23");
  await act(() => vi.advanceTimersByTimeAsync(1500));
  expect(screen.getByRole<HTMLInputElement>("textbox", { name: "Code" }).value).toBe("");
  expect(screen.getByRole("region", { name: "Just picked up" }).textContent).toContain("Maria");
});

test("a recent pickup can be undone", async () => {
  show();
  look("abcd 2345");
  fireEvent.click(await screen.findByRole("button", { name: "Mark as picked up" }));
  fireEvent.click(await screen.findByRole("button", { name: "Undo: Maria Rossi" }));
  await waitFor(() => expect(calls).toContain(`POST /api/orders/${maria.id}/undo`));
  await waitFor(() => expect(screen.queryByText("Just picked up")).toBeNull());
});

test.each([
  ["picked_up", "Already picked up", "Picked up at 6:02 PM."],
  ["cancelled", "Canceled", "This order was canceled. Nothing was charged."],
  ["wrong_day", "Not today", "This order is for Wed, Nov 25."],
  ["not_paid", "Not paid", "The card could not be charged."],
] as const)(
  "%s is seen at a glance and not picked up by the big button",
  async (verdict, words, sentence) => {
    answers["GET /api/pick-up?code=x"] = [
      200,
      { verdict, sentence, order: { ...maria, actions: [] } },
    ];
    show();
    look("x");
    const alert = await screen.findByRole("alert");
    expect(alert.textContent).toContain(words);
    expect(alert.textContent).toContain(sentence);
    expect(screen.queryByRole("button", { name: /^Mark as picked up/ })).toBeNull();
    fireEvent.click(screen.getByRole("button", { name: "Next guest" }));
    expect(screen.getByRole("textbox", { name: "Code" })).toBeTruthy();
    expect(calls.filter((call) => call.startsWith("POST"))).toEqual([]);
  },
);

test("a code that no order has stays in its field, to be corrected", async () => {
  const sentence = "No order with that code. Check it and try again.";
  answers["GET /api/pick-up?code=abcd+2354"] = [200, { verdict: "unknown", sentence, order: null }];
  show();
  look("abcd 2354");
  expect((await screen.findByRole("alert")).textContent).toContain(sentence);
  const field = screen.getByRole<HTMLInputElement>("textbox", { name: "Code" });
  expect(field.value).toBe("abcd 2354");
  expect(document.activeElement).toBe(field);
  expect(screen.queryByRole("button", { name: "Next guest" })).toBeNull();
  look("abcd 2345");
  await screen.findByRole("button", { name: "Mark as picked up" });
});

test("a check-in without a connection waits, and is sent when it is back", async () => {
  decision = "no connection";
  show();
  look("abcd 2345");
  fireEvent.click(await screen.findByRole("button", { name: "Mark as picked up" }));
  await screen.findByText("Picked up");
  await screen.findByText(/1 check-in waiting to be sent/);
  decision = { status: "picked_up", sentence: "Picked up." };
  answers["GET /api/orders/changes"] = [200, { version: "2" }];
  window.dispatchEvent(new Event("online"));
  await waitFor(() => expect(screen.queryByText(/waiting to be sent/)).toBeNull());
});

test("a session that ended keeps the line going: what is checked in waits for a sign-in", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  show();
  look("abcd 2345");
  const give = await screen.findByRole("button", { name: "Mark as picked up" });
  decision = "signed out";
  fireEvent.click(give);
  await screen.findByText("Picked up");
  await screen.findByText(/1 check-in will be sent once you sign in/);
  const signIn = screen.getByRole("link", { name: "Sign in and come back" });
  expect(signIn.getAttribute("href")).toBe("/login?next=%2Frestaurant%2Fpick-up");
  answers["GET /api/pick-up?code=zzzz"] = [401, {}];
  await act(() => vi.advanceTimersByTimeAsync(1500));
  look("zzzz");
  await screen.findByText(/^No order on this device has that code/);
  decision = { status: "picked_up", sentence: "Picked up." };
  answers["GET /api/orders/changes"] = [200, { version: "3" }];
  window.dispatchEvent(new Event("online"));
  await waitFor(() => expect(screen.queryByText(/You've been signed out\./)).toBeNull());
});

test("an order that another device handed over says by whom and when", async () => {
  decision = { status: "already", sentence: "Already marked as picked up by Ann, 6:02 PM." };
  show();
  look("abcd 2345");
  fireEvent.click(await screen.findByRole("button", { name: "Mark as picked up" }));
  await screen.findByText("Already marked as picked up by Ann, 6:02 PM.");
  expect(screen.queryByText("Just picked up")).toBeNull();
});

test("a look-up without a connection finds the order on this device, and only once", async () => {
  show();
  await waitFor(() => expect(calls).toContain("GET /api/pick-up/list"));
  answers["GET /api/pick-up?code=abcd+2345"] = "no connection";
  decision = "no connection";
  await act(async () => undefined);
  look("abcd 2345");
  fireEvent.click(await screen.findByRole("button", { name: "Mark as picked up" }));
  await screen.findByText("Picked up");
  await screen.findByRole("textbox", { name: "Code" }, { timeout: 3000 });
  look("abcd 2345");
  await screen.findByText("Already picked up");
});

test("a look-up without a connection leaves the code where it was typed", async () => {
  answers["GET /api/pick-up?code=abcd+2345"] = "no connection";
  answers["GET /api/pick-up/list"] = "no connection";
  show();
  look("abcd 2345");
  await screen.findByText(/Check your connection/);
  expect(screen.getByRole<HTMLInputElement>("textbox", { name: "Code" }).value).toBe("abcd 2345");
});

test("without a camera the code field stays", async () => {
  show();
  await screen.findByText("No camera found.");
  expect(screen.getByRole("textbox", { name: "Code" })).toBeTruthy();
});
