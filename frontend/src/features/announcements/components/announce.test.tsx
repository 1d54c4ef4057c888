import { QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createQueryClient } from "@/api/query-client";
import { Toaster } from "@/ui/toaster";
import { Announce } from "./announce";
import { FormerAnnouncements } from "./former-announcements";

const places = {
  platforms: [
    { platform: "facebook", label: "Facebook", url: "" },
    { platform: "instagram", label: "Instagram", url: "https://instagram.com/luigis" },
    { platform: "twitter", label: "Twitter", url: "https://twitter.com/luigis" },
  ],
  announcements: [] as unknown[],
  specials: [] as { id: string; name: string }[],
  timezone: "America/New_York",
  followers: 0,
};
const composed = { message: "Osso buco on Friday http://x.test/1", short: "Osso buco" };

let calls: { path: string; body: unknown }[] = [];

/** A server that answers each path with one status and body. */
function serve(answers: Record<string, [number, unknown]>) {
  const all = { "/api/announcements": [200, places], ...answers } as typeof answers;
  vi.stubGlobal("fetch", async (path: string, init: RequestInit) => {
    calls.push({ path, body: init.body ? JSON.parse(String(init.body)) : undefined });
    const [status, body] = all[path] ?? [404, {}];
    return new Response(JSON.stringify(body), { status });
  });
}

function show(props: Partial<Parameters<typeof Announce>[0]> = {}) {
  render(
    <QueryClientProvider client={createQueryClient()}>
      <Announce {...props} />
      <Toaster />
    </QueryClientProvider>,
  );
}

const press = (name: string) => fireEvent.click(screen.getByRole("button", { name }));
const text = () => screen.getByLabelText("Announcement message") as HTMLTextAreaElement;

beforeEach(() => {
  calls = [];
});

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test("after half a second the text writes itself, and not before", async () => {
  vi.useFakeTimers();
  serve({ "/api/announcements/generate": [200, composed] });
  show({ offerIds: ["7"], writeOnOpen: true });
  await act(() => vi.advanceTimersByTimeAsync(499));
  expect(calls.map(({ path }) => path)).not.toContain("/api/announcements/generate");
  await act(() => vi.advanceTimersByTimeAsync(1));
  expect(calls.at(-1)).toEqual({
    path: "/api/announcements/generate",
    body: { offerIds: ["7"], tone: "friendly", language: "en-us" },
  });
  expect(text().value).toBe(composed.message);
});

test.each([
  [401, "Authentication Required", "Please log in to generate announcement messages."],
  [409, "No Special Offers Found", "Create some special offers first."],
  [500, "Generation Failed", "Unable to generate announcement message. Please try again."],
])("a generation answered with %d says so", async (status, title, sentence) => {
  serve({
    "/api/announcements/generate": [
      status,
      { message: "Create some special offers first.", errors: [] },
    ],
  });
  show();
  press("Generate Message");
  await screen.findByText(title);
  expect(screen.getAllByText(sentence).length).toBe(2); // beside the button as well
});

test("each platform's result stands in the list, with the way on that the browser held back", async () => {
  serve({
    "/api/announcements/post": [
      200,
      {
        results: [
          {
            platform: "instagram",
            success: false,
            message: "Not now.",
            url: "",
            text: "",
          },
          {
            platform: "twitter",
            success: true,
            message: "Composer opened",
            url: "https://x.com/intent/tweet?text=x",
            text: "",
          },
        ],
      },
    ],
  });
  vi.spyOn(window, "open").mockReturnValue(null);
  show();
  await screen.findByRole("button", { name: "Twitter" });
  fireEvent.change(text(), { target: { value: "Osso buco" } });
  press("Announce Everywhere");
  await screen.findByText("Not now.");
  expect(screen.getByText("Ready. Press Open Twitter to continue.")).toBeTruthy();
  const link = screen.getByRole("link", { name: "Open Twitter" });
  expect(link.getAttribute("href")).toBe("https://x.com/intent/tweet?text=x");
  expect(calls.find(({ path }) => path.endsWith("/post"))?.body).toEqual({
    message: "Osso buco",
    shortMessage: "",
    platforms: ["instagram", "twitter"],
  });
});

test("what is too long for Twitter goes there in short", async () => {
  const long = "x".repeat(300);
  serve({
    "/api/announcements/generate": [200, { message: long, short: "In short" }],
    "/api/announcements/post": [200, { results: [] }],
  });
  vi.spyOn(window, "open").mockReturnValue(null);
  show();
  await screen.findByRole("button", { name: "Twitter" });
  press("Generate Message");
  const short = (await screen.findByLabelText("Short version for Twitter")) as HTMLTextAreaElement;
  expect(short.value).toBe("In short");
  press("Twitter");
  await vi.waitFor(() =>
    expect(calls.find(({ path }) => path.endsWith("/post"))?.body).toMatchObject({
      message: long,
      shortMessage: "In short",
    }),
  );
});

test("tone and language are asked for, and the pictures are in that language", async () => {
  const specials = [
    { id: "7", name: "Osso buco" },
    { id: "8", name: "Risotto" },
  ];
  serve({
    "/api/announcements": [200, { ...places, specials }],
    "/api/announcements/generate": [200, composed],
  });
  show({ offerIds: ["7"] });
  const picture = await screen.findByRole("link", { name: "Download the story of Osso buco" });
  expect(screen.queryByText("Risotto")).toBeNull();
  fireEvent.change(screen.getByLabelText("Tone"), { target: { value: "plain" } });
  fireEvent.change(screen.getByLabelText("Language"), { target: { value: "es" } });
  press("Generate Message");
  await vi.waitFor(() => expect(text().value).toBe(composed.message));
  expect(calls.find(({ path }) => path.endsWith("/generate"))?.body).toEqual({
    offerIds: ["7"],
    tone: "plain",
    language: "es",
  });
  expect(picture.getAttribute("href")).toBe("/restaurant/offers/7/instagram-story.jpg?lang=es");
});

test("a reminder is set in the restaurant's time, listed, and canceled", async () => {
  const remindAt = "2027-03-23T22:00:00Z";
  serve({
    "/api/announcements": [
      200,
      {
        ...places,
        announcements: [
          { id: "a", message: "Osso buco", platforms: [], createdAt: remindAt, remindAt },
        ],
      },
    ],
    "/api/announcements/reminder": [
      200,
      { id: "a", message: "Osso buco", platforms: [], createdAt: remindAt, remindAt },
    ],
    "/api/announcements/a/reminder": [200, {}],
  });
  render(
    <QueryClientProvider client={createQueryClient()}>
      <Announce />
      <FormerAnnouncements />
      <Toaster />
    </QueryClientProvider>,
  );
  await screen.findByRole("button", { name: "Twitter" });
  fireEvent.change(text(), { target: { value: "Osso buco" } });
  fireEvent.change(screen.getByLabelText("Remind me on"), {
    target: { value: "2027-03-23T18:00" },
  });
  press("Remind me");
  await screen.findByText("We'll email you on Tue, Mar 23, 6:00 PM EDT.");
  expect(calls.find(({ path }) => path.endsWith("/reminder"))?.body).toEqual({
    message: "Osso buco",
    shortMessage: "",
    remindAt: "2027-03-23T22:00:00.000Z",
  });
  press("Cancel reminder");
  await vi.waitFor(() =>
    expect(calls.map(({ path }) => path)).toContain("/api/announcements/a/reminder"),
  );
});

test("nothing can be sent while the message is empty", async () => {
  serve({});
  show();
  await screen.findByRole("button", { name: "Twitter" });
  for (const name of ["Announce Everywhere", "Twitter", "Copy text", "Email the owner a copy"]) {
    expect((screen.getByRole("button", { name }) as HTMLButtonElement).disabled).toBe(true);
  }
});

test("followers can be emailed about the special, once there are any", async () => {
  serve({ "/api/announcements": [200, { ...places, followers: 38 }] });
  show({ offerIds: ["7"] });
  const link = await screen.findByRole("link", { name: "Email 38 followers" });
  expect(link.getAttribute("href")).toBe("/restaurant/audience/emails/new?special=7");
});

test("the text's field is at least 120 pixels high", () => {
  serve({});
  show();
  expect(text().classList).toContain("min-h-[120px]");
});
