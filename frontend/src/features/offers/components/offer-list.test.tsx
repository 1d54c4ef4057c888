import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createQueryClient } from "@/api/query-client";
import type { Special } from "@/api/types";
import { Toaster } from "@/ui/toaster";
import { offer } from "../testing";
import { OfferList } from "./offer-list";

type Answer = [status: number, body: unknown];
let calls: { method: string; path: string; body: unknown; key: unknown }[];

/** Answers by 'METHOD /path'; the list of offers stays as it is. */
function serve(answers: Record<string, Answer>): void {
  vi.stubGlobal("fetch", async (path: string, init: RequestInit) => {
    const { method = "GET", body } = init;
    const key = new Headers(init.headers).get("Idempotency-Key");
    calls.push({ method, path, body: typeof body === "string" ? JSON.parse(body) : body, key });
    const [status, answer] = answers[`${method} ${path}`] ?? [200, { specials: [offer] }];
    return new Response(JSON.stringify(answer), { status });
  });
}

function show(offers: Special[], canEdit = true) {
  const onCreated = vi.fn();
  render(
    <QueryClientProvider client={createQueryClient()}>
      <OfferList
        canEdit={canEdit}
        initialOffers={offers}
        initialDishes={[]}
        timeZone="America/New_York"
        menuUrl="http://luigis.localhost:8000/specials"
        taxRate="8.00"
        onCreated={onCreated}
        announce={(offer) => <p>Announcing {offer.name}</p>}
      />
      <Toaster />
    </QueryClientProvider>,
  );
  return onCreated;
}

function type(label: RegExp, value: string) {
  fireEvent.change(screen.getByRole("textbox", { name: label }), { target: { value } });
}

function press(name: string | RegExp) {
  fireEvent.click(screen.getByRole("button", { name }));
}

/** An action of the special's menu. */
async function choose(name: string) {
  fireEvent.keyDown(screen.getByRole("button", { name: "Actions for Osso buco" }), {
    key: "Enter",
  });
  const item = await screen.findByRole("menuitem", { name });
  // Until the menu has the focus, it takes a click for one outside.
  await waitFor(() => expect(screen.getByRole("menu").contains(document.activeElement)).toBe(true));
  fireEvent.click(item);
  await waitFor(() => expect(screen.queryByRole("menu")).toBeNull());
}

async function fillAndPublish() {
  press("Add special offer");
  type(/^Name/, "Lamb shank");
  type(/^Regular price/, "24");
  type(/^Special price/, "18");
  press("Publish offer");
}

beforeEach(() => {
  calls = [];
});

afterEach(async () => {
  cleanup();
  // A dialog that is gone gives the focus back a tick later, which would close the next test's menu.
  await new Promise((resolve) => setTimeout(resolve));
  vi.unstubAllGlobals();
});

test("without offers the list says so and offers the first step", () => {
  show([]);
  expect(screen.getByText("No special offers yet")).toBeTruthy();
  press("Create First Special Offer");
  expect(screen.getByRole("dialog", { name: "Create Special Offer" })).toBeTruthy();
});

test("a row shows prices, saving, seats and state", () => {
  show([offer]);
  const row = screen.getByRole("row", { name: /Osso buco/ });
  expect(row.textContent).toContain("$18.00");
  expect(row.textContent).toContain("Save $6.00");
  expect(row.textContent).toContain("2/4 pre-orders");
  expect(row.textContent).toContain("2 more and it's on");
  expect(row.querySelector(".badge-active")?.textContent).toBe("Active");
  expect(row.querySelectorAll(".seat[data-filled]")).toHaveLength(2);
});

test.each([[[]], [[offer]]])("who may only look is offered nothing to change", (offers) => {
  show(offers, false);
  for (const name of [/special offer/i, /^Edit/, /^Delete/]) {
    expect(screen.queryByRole("button", { name })).toBeNull();
  }
});

test.each([true, false])(
  "the link of another page opens the form once, for who can edit: %s",
  (canEdit) => {
    history.replaceState(null, "", "/restaurant?new=1&tab=specials");
    show([], canEdit);
    expect(screen.queryByRole("dialog", { name: "Create Special Offer" }) !== null).toBe(canEdit);
    expect(location.search).toBe("?tab=specials");
  },
);

test("without dishes an alternative cannot be chosen, and a hint says what to do", () => {
  show([offer]);
  press("Add special offer");
  const hint = () =>
    screen.queryByText(/^No regular menu dishes to choose from yet\. Uncheck this option, or/);
  expect(hint()).toBeNull();
  const wanted = screen.getByLabelText("Serve another dish if the minimum is not reached");
  fireEvent.click(wanted);
  expect(hint()?.textContent).toBe(
    "No regular menu dishes to choose from yet. Uncheck this option, or add a dish to your menu first.",
  );
  const menu = screen.getByRole("link", { name: "add a dish to your menu" });
  expect(menu.getAttribute("href")).toBe("/restaurant/menu");
  fireEvent.click(wanted);
  expect(hint()).toBeNull();
});

test("a published offer is told with its link, and the list is read again", async () => {
  serve({ "POST /api/dishes/special-offers": [201, { ...offer, name: "Lamb shank" }] });
  const onCreated = show([offer]);
  await fillAndPublish();
  await screen.findByRole("dialog", { name: "Special offer created successfully!" });
  await screen.findByText("Your new special offer is now live.");
  expect(onCreated).toHaveBeenCalledOnce();
  expect(calls[0]?.body).toMatchObject({ name: "Lamb shank", price: "24.00" });
  await waitFor(() => expect(calls.map(({ path }) => path)).toContain("/api/specials/available"));
});

test("the server's field errors stand beside their fields; nothing typed is lost", async () => {
  const message = "Serve date must not be before the pre-order deadline";
  serve({
    "POST /api/dishes/special-offers": [
      400,
      { message, errors: [{ field: "specialServeDate", message }] },
    ],
  });
  show([offer]);
  await fillAndPublish();
  await screen.findByText("Validation Failed");
  const field = screen.getByLabelText("Serve date");
  expect(field.getAttribute("aria-invalid")).toBe("true");
  const name = screen.getByRole("textbox", { name: /^Name/ }) as HTMLInputElement;
  expect(name.value).toBe("Lamb shank");
});

test("no connection: the form says so and keeps what was typed", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
  show([offer]);
  await fillAndPublish();
  await screen.findByText(/Check your connection and try again\. What you entered is still here\./);
  const name = screen.getByRole("textbox", { name: /^Name/ }) as HTMLInputElement;
  expect(name.value).toBe("Lamb shank");
});

const published = () => calls.filter(({ method }) => method === "POST");

test("a press whose answer was lost and the next one carry the same key; a second special another", async () => {
  serve({ "POST /api/dishes/special-offers": [502, "Bad gateway"] });
  show([offer]);
  await fillAndPublish();
  await screen.findByText("Validation Failed");
  serve({ "POST /api/dishes/special-offers": [201, { ...offer, name: "Lamb shank" }] });
  press("Publish offer");
  await screen.findByRole("dialog", { name: "Special offer created successfully!" });
  press("Create Another Offer");
  type(/^Name/, "Lamb shank");
  type(/^Regular price/, "24");
  type(/^Special price/, "18");
  press("Publish offer");
  await waitFor(() => expect(published()).toHaveLength(3));
  const [lost, again, another] = published().map(({ key }) => key);
  expect(lost).toMatch(/^[0-9a-f]{32}$/);
  expect(again).toBe(lost);
  expect(another).toMatch(/^[0-9a-f]{32}$/);
  expect(another).not.toBe(lost);
});

test("once told that the form has published before, the next press is another special", async () => {
  const message = "This form has already published Osso buco.";
  const code = "idempotency_key_reused";
  serve({ "POST /api/dishes/special-offers": [422, { code, message, errors: [] }] });
  show([offer]);
  await fillAndPublish();
  await screen.findAllByText(new RegExp(message));
  press("Publish offer");
  await waitFor(() => expect(published()).toHaveLength(2));
  const [first, second] = published().map(({ key }) => key);
  expect(second).not.toBe(first);
});

test("deleting asks first; a refusal because of pre-orders is told in the server's words", async () => {
  const message = "2 portions are pre-ordered. Wait for the deadline.";
  serve({
    [`DELETE /api/specials/${offer.id}`]: [
      409,
      { message, hasPreorders: true, offerName: offer.name, errors: [] },
    ],
  });
  const confirm = vi.fn(() => false);
  vi.stubGlobal("confirm", confirm);
  show([offer]);
  await choose("Delete");
  expect(confirm).toHaveBeenCalledWith('Are you sure you want to delete "Osso buco"?');
  expect(calls).toEqual([]);

  confirm.mockReturnValue(true);
  await choose("Delete");
  await screen.findByText("Cannot Delete");
  expect(screen.getByText(message)).toBeTruthy();
});

test("an edit sends what changed and the version, and leaves the alternative as it stands", async () => {
  const alternative = "3f1c6f2e-6c55-4d39-9a52-0d7a4f1b2c11";
  const withAlternative = {
    ...offer,
    hasAlternative: true,
    alternativeDishId: alternative,
    alternativeDishName: "Risotto",
  };
  serve({
    [`POST /api/dishes/${offer.id}/change`]: [200, { guests: 0 }],
    [`PUT /api/dishes/${offer.id}`]: [200, withAlternative],
  });
  show([withAlternative]);
  await choose("Edit");
  type(/^Special price/, "17");
  press("Save changes");
  await screen.findByText("Special offer updated successfully");
  const put = calls.find(({ method }) => method === "PUT");
  expect(put?.body).toEqual({ specialOfferPrice: "17.00", version: offer.version });
});

test("a form with errors says so and is not sent", async () => {
  serve({});
  show([offer]);
  press("Add special offer");
  type(/^Name/, "");
  press("Publish offer");
  await screen.findByText("Validation Error");
  expect(screen.getByText("Please correct the errors in the form.")).toBeTruthy();
  expect(published()).toEqual([]);
});

test("a special that is published, changed or deleted without a reason why not is told in our words", async () => {
  serve({
    "POST /api/dishes/special-offers": [500, ""],
    [`POST /api/dishes/${offer.id}/change`]: [200, { guests: 0 }],
    [`PUT /api/dishes/${offer.id}`]: [500, ""],
    [`DELETE /api/specials/${offer.id}`]: [500, ""],
  });
  vi.stubGlobal("confirm", () => true);
  show([offer]);
  await choose("Delete");
  await screen.findByText("Failed to delete special offer. Please try again.");
  await choose("Edit");
  press("Save changes");
  await screen.findAllByText(/^Failed to update special offer/);
  press("Cancel");
  await fillAndPublish();
  await screen.findAllByText(/^Failed to create special offer/);
});

test("a toast names the action that succeeded", async () => {
  serve({
    "POST /api/dishes/special-offers": [201, offer],
    [`DELETE /api/specials/${offer.id}`]: [200, { offerName: "Osso buco", hasPreorders: false }],
  });
  vi.stubGlobal("confirm", () => true);
  show([offer]);
  await choose("Delete");
  await screen.findByText("Deleted Successfully");
  expect(screen.getByText("Special offer deleted successfully: Osso buco")).toBeTruthy();
  await fillAndPublish();
  await screen.findByText("Special offer added successfully");
});

test("the table says what its columns are, and the menu's address can be copied", async () => {
  const writeText = vi.fn(() => Promise.resolve());
  vi.stubGlobal("navigator", { ...navigator, clipboard: { writeText } });
  show([offer]);
  expect(screen.getAllByRole("columnheader").map((each) => each.textContent)).toEqual([
    "Offer Details",
    "Pricing",
    "Pre-Orders",
    "Status",
    "Share",
    "Actions",
  ]);
  press(/^Copy link to your specials page$/);
  await waitFor(() =>
    expect(writeText).toHaveBeenCalledWith("http://luigis.localhost:8000/specials"),
  );
});

test("until the offers are there, their place says that they are loading", async () => {
  vi.stubGlobal("fetch", () => new Promise(() => {}));
  render(
    <QueryClientProvider client={createQueryClient()}>
      <OfferList
        canEdit
        initialOffers={undefined}
        initialDishes={[]}
        timeZone="America/New_York"
        menuUrl="http://luigis.localhost:8000/specials"
        taxRate="8.00"
        onCreated={() => {}}
        announce={() => null}
      />
    </QueryClientProvider>,
  );
  expect(screen.getByRole("status", { name: "Loading special offers" })).toBeTruthy();
  expect(screen.queryByText("No special offers yet")).toBeNull();
});

test("closed specials are in a view of their own, which says how they ended", () => {
  serve({});
  const ended = { ...offer, id: "ended", name: "Minestrone", status: "expired" as const };
  show([offer, { ...ended, isActive: false, wasSuccessful: false }]);
  expect(screen.getByText("Active").className).toContain("badge-active");
  expect(screen.queryByText("Minestrone")).toBeNull();
  press("Closed (1)");
  expect(screen.queryByText("Osso buco")).toBeNull();
  expect(screen.getByText("Didn't make it").className).not.toContain("badge-active");
  press("Open (1)");
  expect(screen.getByText("Osso buco")).toBeTruthy();
});
