import { QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { createQueryClient } from "@/api/query-client";
import { SlotsEditor } from "./slots-editor";

afterEach(() => vi.unstubAllGlobals());

const slot = (hour: number) => ({
  id: hour,
  startsAt: `2027-03-24T${hour}:00:00Z`,
  endsAt: `2027-03-24T${hour + 1}:00:00Z`,
  label: `${hour}:00 – ${hour + 1}:00`,
  left: null,
  capacity: null,
  taken: 0,
});

test("pickup times that somebody changed meanwhile are shown, and replaced only when asked", async () => {
  const sent: { slots: unknown[]; version: string }[] = [];
  const current = { slots: [slot(19)], version: "2" };
  const answers = [
    Response.json({ slots: [slot(17)], version: "1" }),
    Response.json(
      { code: "edited_meanwhile", message: "Changed.", errors: [], current },
      { status: 409 },
    ),
    Response.json({ slots: [], version: "3" }),
  ];
  vi.stubGlobal("fetch", async (_path: string, { body }: RequestInit) => {
    if (body) sent.push(JSON.parse(String(body)));
    return answers.shift();
  });
  render(
    <QueryClientProvider client={createQueryClient()}>
      <SlotsEditor offerId="1" serveDay="2027-03-24" timeZone="UTC" canEdit />
    </QueryClientProvider>,
  );
  fireEvent.click(await screen.findByRole("button", { name: "Remove time 1" }));
  fireEvent.click(screen.getByRole("button", { name: "Save pickup times" }));
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toContain("Someone changed the pickup times");
  expect(alert.textContent).toContain("Saved now: 19:00 – 20:00.");
  expect(screen.queryByLabelText("Time 1 from")).toBeNull();

  fireEvent.click(screen.getByRole("button", { name: "Save pickup times" }));
  await vi.waitFor(() => expect(sent).toHaveLength(2));
  expect(sent.map(({ version }) => version)).toEqual(["1", "2"]);
  expect(sent.map(({ slots }) => slots)).toEqual([[], []]);
});

test("discarding pickup times that conflict shows those that are saved", async () => {
  const current = { slots: [slot(19)], version: "2" };
  const answers = [
    Response.json({ slots: [slot(17)], version: "1" }),
    Response.json(
      { code: "edited_meanwhile", message: "Changed.", errors: [], current },
      { status: 409 },
    ),
  ];
  vi.stubGlobal("fetch", async () => answers.shift());
  render(
    <QueryClientProvider client={createQueryClient()}>
      <SlotsEditor offerId="1" serveDay="2027-03-24" timeZone="UTC" canEdit />
    </QueryClientProvider>,
  );
  fireEvent.click(await screen.findByRole("button", { name: "Remove time 1" }));
  fireEvent.click(screen.getByRole("button", { name: "Save pickup times" }));
  await screen.findByRole("alert");
  fireEvent.click(screen.getByRole("button", { name: "Discard" }));
  const from = screen.getByLabelText<HTMLInputElement>("Time 1 from");
  expect(from.value).toBe("19:00");
});
