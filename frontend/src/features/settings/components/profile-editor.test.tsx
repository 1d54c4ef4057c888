import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createQueryClient } from "@/api/query-client";
import type { Profile } from "@/api/types";
import { formatCents } from "@/lib/money";
import { Toaster } from "@/ui/toaster";
import { places, profile } from "../testing";
import { ProfileEditor } from "./profile-editor";

type Change = Partial<Profile>;
let sent: Change[];
/** The versions in the requests, in order. */
let seen: (string | undefined)[];
let answer: (change: Change) => Response | Promise<Response>;

const ok = (change: Change) => new Response(JSON.stringify({ ...profile, ...change }));
const bad = (field: string, message: string) =>
  new Response(JSON.stringify({ message, errors: [{ field, message }] }), { status: 400 });

beforeEach(() => {
  sent = [];
  seen = [];
  answer = ok;
  vi.stubGlobal("fetch", async (_: string, { body }: RequestInit) => {
    const { version, ...change } = JSON.parse(String(body)) as Change;
    seen.push(version);
    sent.push(change);
    return answer(change);
  });
});

afterEach(() => {
  cleanup();
  delete document.documentElement.dataset.currency;
  vi.unstubAllGlobals();
});

function show(label?: "Save Profile", facts: Change = {}) {
  return render(
    <QueryClientProvider client={createQueryClient()}>
      <ProfileEditor profile={{ ...profile, ...facts }} places={places} saveLabel={label} />
      <Toaster />
    </QueryClientProvider>,
  );
}

function type(label: string | RegExp, value: string) {
  const field = screen.getByLabelText(label);
  fireEvent.change(field, { target: { value } });
  fireEvent.blur(field);
  return field;
}

test("a field that was changed is saved alone when it is left", async () => {
  show();
  type("City", "Hoboken");
  await screen.findByText(/^All changes saved at \d+:\d\d [AP]M$/);
  expect(sent).toEqual([{ city: "Hoboken" }]);
});

test("another currency is saved and written on the page from then on", async () => {
  show();
  const field = type("Currency", "eur");
  await screen.findByText(/^All changes saved at/);
  expect(sent).toEqual([{ currency: "eur" }]);
  expect(field.closest(".field")?.textContent).toContain("Prices aren't converted");
  expect(formatCents(2400)).toBe("€24.00");
});

test("once there is an order the currency is a fact", () => {
  show(undefined, { currency: "eur", currencyFixed: true });
  expect(screen.queryByLabelText("Currency")).toBeNull();
  expect(screen.getByText("Euro (€)")).toBeTruthy();
  expect(screen.getByText(/^You can't change the currency/)).toBeTruthy();
});

test("a field that was not changed is not sent", () => {
  show();
  fireEvent.blur(screen.getByLabelText("City"));
  type("City", "  New York ");
  expect(sent).toEqual([]);
});

test("the notes for guests who arrive are saved one by one", async () => {
  show();
  type(/^For guests who dine in/, "Ask for Luisa.");
  await screen.findByText(/^All changes saved at/);
  type(/^For guests who pick up/, "Come to the side door.");
  await waitFor(() =>
    expect(sent).toEqual([
      { dineInNote: "Ask for Luisa." },
      { pickupNote: "Come to the side door." },
    ]),
  );
  expect(screen.getByLabelText(/^For guests who pick up/)).toHaveProperty("maxLength", 160);
});

test("texts in Spanish open below the others and are saved one by one", async () => {
  show();
  for (const fold of screen.getAllByText("Add Spanish")) fireEvent.click(fold);
  type(/^For guests who pick up, in Spanish/, "Ven a la puerta lateral.");
  const note = { spanishPickupNote: "Ven a la puerta lateral." };
  await waitFor(() => expect(sent).toEqual([note]));
  type(/^Description in Spanish/, "Desde 1968.");
  await waitFor(() => expect(sent).toEqual([note, { spanishDescription: "Desde 1968." }]));
});

test("a note the server refuses says so and stays as typed", async () => {
  const sentence = "Use at most 160 characters.";
  answer = () => bad("pickupNote", sentence);
  show();
  const field = type(/^For guests who pick up/, "x".repeat(161));
  await waitFor(() => expect(field.getAttribute("aria-invalid")).toBe("true"));
  expect(field.closest(".field")?.textContent).toContain(sentence);
  expect(field).toHaveProperty("value", "x".repeat(161));
});

test("while the answer is awaited it says so", async () => {
  let arrive = () => {};
  answer = (change) => new Promise((resolve) => (arrive = () => resolve(ok(change))));
  show();
  type("City", "Hoboken");
  expect((await screen.findAllByText("Saving...")).length).toBeGreaterThan(0);
  arrive();
  await screen.findByText(/^All changes saved at/);
});

test("what could not be sent stays and goes with the next field that is left", async () => {
  answer = () => Promise.reject(new TypeError("offline"));
  show();
  const city = type("City", "Hoboken");
  await screen.findAllByText(/^We couldn't reach the server/);
  expect(city).toHaveProperty("value", "Hoboken");
  answer = ok;
  type(/^ZIP code/, "07030");
  await screen.findByText(/^All changes saved at/);
  expect(sent.at(-1)).toEqual({ city: "Hoboken", zipCode: "07030" });
});

test("it goes by itself when the connection is back", async () => {
  answer = () => Promise.reject(new TypeError("offline"));
  show();
  type("City", "Hoboken");
  await screen.findAllByText(/^We couldn't reach the server/);
  answer = ok;
  fireEvent(window, new Event("online"));
  await screen.findByText(/^All changes saved at/);
});

test("a field with an error is not sent, and the others are", async () => {
  show();
  type(/^Website/, "not a site");
  screen.getByText("Must be a valid URL");
  type("City", "Hoboken");
  await waitFor(() => expect(sent).toEqual([{ city: "Hoboken" }]));
});

test("a field the server refuses does not keep the others from being saved", async () => {
  answer = (change) => ("ownerName" in change ? bad("ownerName", "Not this one.") : ok(change));
  show();
  const city = screen.getByLabelText("City");
  fireEvent.change(city, { target: { value: "Hoboken" } });
  type("Owner's name", "Luisa B");
  await screen.findByText("Not this one.");
  await waitFor(() => expect(sent.at(-1)).toEqual({ city: "Hoboken" }));
  expect(sent).toHaveLength(2);
});

test("what a colleague changed meanwhile is taken over, and not sent back", async () => {
  answer = (change) => ok({ phone: "999", ...change });
  show();
  type("City", "Hoboken");
  await screen.findByText(/^All changes saved at/);
  expect(screen.getByLabelText("Phone")).toHaveProperty("value", "999");
  type("City", "Weehawken");
  await waitFor(() => expect(sent.at(-1)).toEqual({ city: "Weehawken" }));
});

/** Somebody else saved these first: an edit of an older version is refused. */
function changedMeanwhile(theirs: Change): void {
  const current = { ...profile, ...theirs, version: "theirs" };
  const refusal = JSON.stringify({ code: "edited_meanwhile", current });
  answer = (change) =>
    seen.at(-1) === "theirs"
      ? new Response(JSON.stringify({ ...current, ...change }))
      : new Response(refusal, { status: 409 });
}

test("a field that only they changed is taken over, and mine is saved after all", async () => {
  changedMeanwhile({ phone: "999" });
  show();
  type("City", "Hoboken");
  await screen.findByText(/^All changes saved at/);
  expect(sent).toEqual([{ city: "Hoboken" }, { city: "Hoboken" }]);
  expect(seen).toEqual([profile.version, "theirs"]);
  expect(screen.getByLabelText("Phone")).toHaveProperty("value", "999");
});

test.each([
  ["Use theirs", "Newark", [{ city: "Hoboken" }]],
  ["Keep mine", "Hoboken", [{ city: "Hoboken" }, { city: "Hoboken" }]],
])("a field that both changed asks whose to keep: %s", async (button, city, requests) => {
  changedMeanwhile({ city: "Newark" });
  show();
  type("City", "Hoboken");
  await screen.findByText("Someone else changed this: City.");
  expect(screen.getByText(/Theirs: Newark. Yours: Hoboken./)).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "Save All Changes" }));
  await screen.findByRole("button", { name: "Save All Changes" });
  expect(sent).toHaveLength(1);
  fireEvent.click(screen.getByRole("button", { name: button }));
  await waitFor(() => expect(screen.queryByText(/Someone else changed this/)).toBeNull());
  await waitFor(() => expect(sent).toEqual(requests));
  expect(screen.getByLabelText("City")).toHaveProperty("value", city);
});

test("hours that they changed on another day are kept beside mine", async () => {
  const monday = [{ opens: "17:00", closes: "22:00" }];
  changedMeanwhile({ hoursOfOperation: { monday } });
  show();
  fireEvent.click(screen.getByRole("button", { name: "Open on Friday" }));
  await waitFor(() =>
    expect(sent.at(-1)).toEqual({
      hoursOfOperation: { monday, friday: [{ opens: "11:00", closes: "22:00" }] },
    }),
  );
});

test("the state is asked for in the United States alone", async () => {
  show();
  expect(screen.getByLabelText("State")).toHaveProperty("value", "New York");
  type("Country", "FR");
  expect(screen.queryByLabelText("State")).toBeNull();
  await waitFor(() => expect(sent).toEqual([{ country: "FR", state: "" }]));
});

test("a site typed without its beginning gets one", async () => {
  show();
  type(/^Website/, "luigis.example");
  await waitFor(() => expect(sent).toEqual([{ website: "https://luigis.example" }]));
});

test("the button saves everything, and says which errors are left", async () => {
  show("Save Profile");
  fireEvent.change(screen.getByLabelText("City"), { target: { value: "Hoboken" } });
  fireEvent.click(screen.getByRole("button", { name: "Save Profile" }));
  await screen.findByText("Profile Updated");
  expect(sent).toEqual([{ city: "Hoboken" }]);
  fireEvent.change(screen.getByLabelText("Restaurant name"), { target: { value: " " } });
  fireEvent.click(screen.getByRole("button", { name: "Save Profile" }));
  await screen.findByText("Restaurant name is required");
  expect(document.activeElement).toBe(screen.getByLabelText("Restaurant name"));
});

test("a day gets hours, and they are saved as a week", async () => {
  show();
  fireEvent.click(screen.getByRole("button", { name: "Open on Friday" }));
  await waitFor(() =>
    expect(sent).toEqual([{ hoursOfOperation: { friday: [{ opens: "11:00", closes: "22:00" }] } }]),
  );
  const closes = screen.getByLabelText("Friday, closes");
  fireEvent.change(closes, { target: { value: "11:00" } });
  fireEvent.blur(closes);
  await screen.findByText(/Friday opens and closes at the same time/);
  expect(sent).toHaveLength(1);
});

test("a profile that was not saved says so", async () => {
  answer = () => new Response("", { status: 500 });
  show();
  type("City", "Hudson");
  await screen.findByText("Update Failed");
  expect(screen.getAllByText("Failed to update profile. Please try again.").length).toBe(2);
});
