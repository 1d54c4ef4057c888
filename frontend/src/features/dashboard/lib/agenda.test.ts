import { expect, test } from "vitest";
import type { Special } from "@/api/types";
import { agendaFor } from "./agenda";

const NOW = new Date("2026-11-21T15:00:00Z");

function offer(changes: Partial<Special>): Special {
  return {
    id: "1",
    name: "Osso buco",
    status: "active",
    seatsState: "open",
    currentPreorders: 0,
    minPreordersRequired: 3,
    preorderExpiresAt: "2026-11-21T20:00:00Z",
    specialServeDate: "2026-11-22T12:00:00-05:00",
    ...changes,
  } as Special;
}

const names = (offers: Special[]) => offers.map(({ name }) => name);

test("offers at risk decide within a day and still lack portions", () => {
  const agenda = agendaFor(
    [
      offer({ name: "later", preorderExpiresAt: "2026-11-24T20:00:00Z" }),
      offer({ name: "short" }),
      offer({ name: "enough", currentPreorders: 3, preorderExpiresAt: "2026-11-21T18:00:00Z" }),
    ],
    "America/New_York",
    NOW,
  );
  expect(names(agenda.atRisk)).toEqual(["short"]);
  expect(names(agenda.upcoming)).toEqual(["enough", "short", "later"]);
});

test("what is decided now, and what is served today at the restaurant", () => {
  const agenda = agendaFor(
    [
      offer({ name: "deciding", status: "expired", seatsState: "deciding" }),
      offer({
        name: "today",
        status: "expired",
        seatsState: "succeeded",
        specialServeDate: "2026-11-21T12:00:00-05:00",
      }),
    ],
    "America/New_York",
    NOW,
  );
  expect(names(agenda.deciding)).toEqual(["deciding"]);
  expect(names(agenda.servedToday)).toEqual(["today"]);
  expect(agenda.upcoming).toEqual([]);
});
