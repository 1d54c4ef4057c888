import { afterEach, expect, test } from "vitest";
import type { HistoryEntry } from "@/api/types";
import { endHandover, handedOver, handOver } from "./redeploy-handover";

const entry = {
  id: "7",
  name: "Osso buco",
  description: "",
  regularPrice: "30.00",
  specialOfferPrice: "24.00",
  minPreordersRequired: 3,
  maxPerOrder: 20,
  friendHours: 24,
  hasAlternative: false,
} as HistoryEntry;

afterEach(() => sessionStorage.clear());

test("a past special reaches the dashboard of the same tab, once", () => {
  expect(handOver(entry)).toBe(true);
  expect(handedOver()).toEqual(entry);
  endHandover();
  expect(handedOver()).toBeNull();
});

test.each(["", "{", "null", "7", '{"name":"x"}', "[]"])(
  "a damaged hand-over %j is none",
  (text) => {
    sessionStorage.setItem("redeployOfferData", text);
    expect(handedOver()).toBeNull();
  },
);
