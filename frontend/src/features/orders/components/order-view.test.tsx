import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { createQueryClient } from "@/api/query-client";
import type { OrderDetail } from "@/api/types";
import { Toaster } from "@/ui/toaster";
import { aDetail, anOrder, serving } from "../testing";
import { OrderView } from "./order-view";

function show(detail: OrderDetail = aDetail()) {
  render(
    <QueryClientProvider client={createQueryClient()}>
      <OrderView detail={detail} timeZone="America/New_York" />
      <Toaster />
    </QueryClientProvider>,
  );
}

function serve(answers: Parameters<typeof serving>[0]) {
  const server = serving(answers);
  vi.stubGlobal("fetch", server.fetch);
  return server.calls;
}

const address = `/api/orders/${anOrder().id}`;
function because(dialog: HTMLElement, reason: string) {
  fireEvent.change(within(dialog).getByLabelText("Reason"), { target: { value: reason } });
}

const press = (name: string | RegExp) => fireEvent.click(screen.getByRole("button", { name }));

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test("money is broken down from the portion to the payout", () => {
  show();
  const money = screen.getByRole("region", { name: "Payment" }).textContent;
  for (const words of ["2 × $18.00", "$36.00", "Tax, 8%", "$2.88", "−$1.08", "−$1.43", "$36.37"]) {
    expect(money).toContain(words);
  }
});

test("only actions allowed now are offered", () => {
  show(aDetail({ order: anOrder({ actions: ["undo"], statusLabel: "Picked up" }) }));
  expect(screen.getByRole("button", { name: "Undo “Picked up”" })).toBeTruthy();
  for (const name of [/^Mark as picked up/, /^Refund/, /^Cancel/, /^Resend/, /^Save note/]) {
    expect(screen.queryByRole("button", { name })).toBeNull();
  }
});

const effects: Parameters<typeof serving>[0] = {
  [`GET ${address}/refund?amount=12.50`]: [
    200,
    { amount: "12.50", revenueShare: "0.35", processingFee: "0.46", lessPayout: "11.69" },
  ],
  [`GET ${address}/refund?amount=38.88`]: [
    200,
    { amount: "38.88", revenueShare: "1.08", processingFee: "1.43", lessPayout: "36.37" },
  ],
  [`GET ${address}/refund?amount=20.00`]: [
    200,
    {
      amount: "20.00",
      revenueShare: "0.56",
      processingFee: "0.74",
      lessPayout: "18.70",
      needsConfirmation: true,
      advance: "$8.70",
    },
  ],
};
const posted = (calls: ReturnType<typeof serving>["calls"]) =>
  calls.filter(({ method }) => method === "POST").map(({ body }) => body);

test("a part is refunded after it was said what it comes to", async () => {
  const calls = serve({
    ...effects,
    [`POST ${address}/refund`]: [200, { order: anOrder() }],
  });
  show();
  press("Refund…");
  const dialog = screen.getByRole("dialog", { name: "Refund Maria Rossi" });
  fireEvent.click(within(dialog).getByRole("radio", { name: "Partial" }));
  fireEvent.change(within(dialog).getByLabelText("Amount"), { target: { value: "12.5" } });
  expect(dialog.textContent).toContain("Maria Rossi receives$12.50");
  // The parts are the server's.
  await waitFor(() => expect(dialog.textContent).toContain("Deducted from your payout$11.69"));
  expect(dialog.textContent).toContain("Platform fee returned$0.35");
  expect(dialog.textContent).toContain("Card processing returned$0.46");
  fireEvent.click(within(dialog).getByRole("button", { name: "Refund $12.50" }));
  expect(within(dialog).getByText("Enter a short reason.")).toBeTruthy();
  because(dialog, "One was cold");
  fireEvent.click(within(dialog).getByRole("button", { name: "Refund $12.50" }));
  await screen.findByText("Refund on its way");
  expect(posted(calls)).toEqual([{ amount: "12.50", reason: "One was cold" }]);
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("a large refund is sent once its amount was typed again", async () => {
  const calls = serve({
    ...effects,
    [`POST ${address}/refund`]: [200, { order: anOrder() }],
  });
  show();
  press("Refund…");
  const dialog = screen.getByRole("dialog", { name: "Refund Maria Rossi" });
  fireEvent.click(within(dialog).getByRole("radio", { name: "Partial" }));
  fireEvent.change(within(dialog).getByLabelText("Amount"), { target: { value: "20" } });
  const again = await within(dialog).findByLabelText("Amount again");
  expect(dialog.textContent).toContain("Your Stripe balance is $8.70 too low for this refund.");
  because(dialog, "Nobody came");
  fireEvent.change(again, { target: { value: "2.00" } });
  fireEvent.click(within(dialog).getByRole("button", { name: "Refund $20.00" }));
  expect(within(dialog).getByText("Type $20.00 again to confirm.")).toBeTruthy();
  expect(posted(calls)).toEqual([]);
  fireEvent.change(again, { target: { value: "20" } });
  fireEvent.click(within(dialog).getByRole("button", { name: "Refund $20.00" }));
  await screen.findByText("Refund on its way");
  expect(posted(calls)).toEqual([
    { amount: "20.00", reason: "Nobody came", confirmAmount: "20.00" },
  ]);
});

test("an amount that is more than what is left is not sent", () => {
  const calls = serve(effects);
  show();
  press("Refund…");
  const dialog = screen.getByRole("dialog");
  fireEvent.click(within(dialog).getByRole("radio", { name: "Partial" }));
  fireEvent.change(within(dialog).getByLabelText("Amount"), { target: { value: "40" } });
  fireEvent.click(within(dialog).getByRole("button", { name: "Refund" }));
  expect(within(dialog).getByText("You can refund at most the remaining amount.")).toBeTruthy();
  expect(posted(calls)).toEqual([]);
});

test("pressing a button twice sends one request", async () => {
  let answer: (value: Response) => void = () => undefined;
  const sent = vi.fn(() => new Promise<Response>((resolve) => (answer = resolve)));
  vi.stubGlobal("fetch", (_: string, { method }: RequestInit) =>
    method === "POST" ? sent() : new Promise(() => undefined),
  );
  show();
  press("Refund…");
  because(screen.getByRole("dialog"), "Burnt");
  const send = within(screen.getByRole("dialog")).getByRole("button", { name: "Refund $38.88" });
  fireEvent.click(send);
  fireEvent.click(send);
  await waitFor(() => expect(sent).toHaveBeenCalled());
  fireEvent.click(send);
  expect(sent).toHaveBeenCalledTimes(1);
  answer(new Response(JSON.stringify({ order: anOrder() })));
  await screen.findByText("Refund on its way");
});

test("when the answer to a refund is lost, the order is looked at before anything is sent again", async () => {
  const refunded = anOrder({ refundedAmount: "38.88", paymentStatus: "refunded", actions: [] });
  const calls = serve({
    [`POST ${address}/refund`]: "no connection",
    ...effects,
    [`GET ${address}`]: [200, aDetail({ order: refunded })],
  });
  show();
  press("Refund…");
  const dialog = screen.getByRole("dialog");
  because(dialog, "Burnt");
  fireEvent.click(within(dialog).getByRole("button", { name: "Refund $38.88" }));
  await within(dialog).findByText(/we don't know yet whether it went through/);
  expect(within(dialog).getByLabelText<HTMLInputElement>(/Reason/).value).toBe("Burnt");
  fireEvent.click(within(dialog).getByRole("button", { name: "Refund $38.88" }));
  await screen.findByText("Refund on its way");
  const done = calls.filter(({ path }) => !path.includes("refund?"));
  expect(done.map(({ method }) => method)).toEqual(["POST", "GET"]);
});

test("a refusal stands in the dialog in the server's words, and the order is read again", async () => {
  const message = "This order was refunded a moment ago. Look at it again.";
  serve({
    [`POST ${address}/cancel`]: [409, { message, errors: [] }],
    [`GET ${address}`]: [200, aDetail()],
  });
  show(aDetail({ order: anOrder({ actions: ["cancel"], paymentStatus: "authorized" }) }));
  press("Cancel order…");
  const dialog = screen.getByRole("dialog");
  expect(dialog.textContent).toContain(
    "We'll release the hold, charge nothing, and email the guest.",
  );
  because(dialog, "Oven broke");
  fireEvent.click(within(dialog).getByRole("button", { name: "Cancel order" }));
  await within(dialog).findByText(message);
});

test("when the session has ended, what was typed stays and signing in opens beside it", async () => {
  history.replaceState(null, "", "/restaurant?tab=orders");
  serve({
    ...effects,
    [`POST ${address}/refund`]: [401, { code: "not_authenticated", message: "", errors: [] }],
  });
  show();
  press("Refund…");
  const dialog = screen.getByRole("dialog");
  because(dialog, "Burnt");
  fireEvent.click(within(dialog).getByRole("button", { name: "Refund $38.88" }));
  const way = await within(dialog).findByRole("link", { name: "Sign in again in a new tab" });
  expect(way.getAttribute("href")).toBe("/login?next=%2Frestaurant%3Ftab%3Dorders");
  expect(way.getAttribute("target")).toBe("_blank");
  expect(within(dialog).getByLabelText<HTMLTextAreaElement>("Reason").value).toBe("Burnt");
});

test("a note that could not be saved stays in its field", async () => {
  serve({ [`POST ${address}/notes`]: "no connection" });
  show();
  const note = screen.getByLabelText<HTMLTextAreaElement>("Add a note");
  fireEvent.change(note, { target: { value: "Comes at seven" } });
  press("Save note");
  await screen.findByText(/Check your connection/);
  expect(note.value).toBe("Comes at seven");
});

test("an email can be resent", async () => {
  const calls = serve({ [`POST ${address}/resend`]: [200, { order: anOrder() }] });
  show();
  press("Resend “It's on”");
  await waitFor(() => expect(calls[0]?.body).toEqual({ kind: "confirmed" }));
  await screen.findByText("Email on its way");
});

test("the link to an order is replaced after a question, and the guest is emailed", async () => {
  const order = anOrder({ actions: ["new_link"] });
  const calls = serve({ [`POST ${address}/new-link`]: [200, { order }] });
  show(aDetail({ order }));
  press("Replace link…");
  const dialog = screen.getByRole("dialog");
  expect(dialog.textContent).toContain("Every link to it so far stops working, for everyone.");
  expect(dialog.textContent).toContain(`We'll email a new one to ${order.customerEmail}.`);
  expect(calls).toEqual([]);
  fireEvent.click(within(dialog).getByRole("button", { name: "Replace link" }));
  await screen.findByText("Link replaced");
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("a link that couldn't be replaced stays, and the dialog says why", async () => {
  const order = anOrder({ actions: ["new_link"], customerEmail: "" });
  const message = "The link to this order has already expired.";
  serve({ [`POST ${address}/new-link`]: [409, { message, errors: [] }] });
  show(aDetail({ order }));
  press("Replace link…");
  const dialog = screen.getByRole("dialog");
  expect(dialog.textContent).toContain("copy the new link and give it to the guest");
  fireEvent.click(within(dialog).getByRole("button", { name: "Replace link" }));
  await within(dialog).findByText(message);
});

test("whoever can't edit orders can't replace a link", () => {
  show();
  expect(screen.queryByRole("button", { name: "Replace link…" })).toBeNull();
});
