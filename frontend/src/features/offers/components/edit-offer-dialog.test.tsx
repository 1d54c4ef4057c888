import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createQueryClient } from "@/api/query-client";
import type { Special } from "@/api/types";
import { Toaster } from "@/ui/toaster";
import { offer } from "../testing";
import { EditOfferDialog } from "./edit-offer-dialog";

const path = `/api/dishes/${offer.id}`;
let puts: unknown[];

/** Answers the edits in turn; no guest has to be told of them. */
function serve(...answers: [status: number, body: unknown][]): void {
  vi.stubGlobal("fetch", async (asked: string, { method, body }: RequestInit) => {
    if (method !== "PUT") return Response.json({ guests: 0 });
    expect(asked).toBe(path);
    puts.push(JSON.parse(String(body)));
    const [status, answer] = answers[puts.length - 1] ?? [500, ""];
    return Response.json(answer, { status });
  });
}

const client = createQueryClient();
const dialog = (shown: Special) => (
  <QueryClientProvider client={client}>
    <EditOfferDialog offer={shown} onClose={() => {}} dishes={[]} timeZone={shown.timezone} />
    <Toaster />
  </QueryClientProvider>
);

function type(label: RegExp, value: string) {
  fireEvent.change(screen.getByRole("textbox", { name: label }), { target: { value } });
}

const save = () => fireEvent.click(screen.getByRole("button", { name: "Save changes" }));
const saved = () => screen.findByText("Special offer updated successfully");

beforeEach(() => {
  puts = [];
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test("two edits of one special: theirs is shown, and I choose field by field", async () => {
  const current = {
    ...offer,
    name: "Ossobuco",
    specialOfferPrice: "16.00",
    description: "Milanese",
    version: "theirs",
  };
  serve([409, { code: "edited_meanwhile", message: "Changed.", current }], [200, current]);
  render(dialog(offer));
  type(/^Special price/, "17");
  type(/^Description/, "Veal");
  save();
  await screen.findByText("Someone changed this special while you had it open.");
  expect(screen.getByText("Yours: $17.00")).toBeTruthy();
  expect(screen.getByText("Name is now")).toBeTruthy();
  expect(screen.getByLabelText("Name")).toHaveProperty("value", "Ossobuco");
  fireEvent.click(screen.getByLabelText("Theirs: $16.00"));
  expect(screen.getByLabelText(/^Special price/)).toHaveProperty("value", "16.00");
  save();
  await saved();
  expect(puts).toEqual([
    { specialOfferPrice: "17.00", description: "Veal", version: offer.version },
    { description: "Veal", version: "theirs" },
  ]);
});

test("what others change while the form is open isn't put back", async () => {
  serve([200, offer]);
  const { rerender } = render(dialog(offer));
  type(/^Special price/, "17");
  rerender(dialog({ ...offer, name: "Ossobuco", version: "theirs" }));
  save();
  await saved();
  expect(puts).toEqual([{ specialOfferPrice: "17.00", version: offer.version }]);
});

test.each([
  { currentPreorders: 2, sentence: "Guests have already ordered." },
  { currentPreorders: 0, sentence: "Guests have orders that aren't paid yet." },
])("what can't be changed anymore is explained: $sentence", ({ currentPreorders, sentence }) => {
  render(dialog({ ...offer, hasPreorders: true, currentPreorders }));
  const notice = screen.getByText(sentence, { exact: false });
  expect(notice.textContent).toContain("Existing orders keep their price.");
});

test("a special without orders can be changed in every way", () => {
  render(dialog({ ...offer, hasPreorders: false, currentPreorders: 0 }));
  expect(screen.queryByText("Existing orders keep their price.", { exact: false })).toBeNull();
});
