import { expect, test } from "vitest";
import { everything, filtersQuery, isFiltered, readFilters, writeFilters } from "./filters";

test("the address carries the filters and keeps what else stands in it", () => {
  const filters = { ...everything, q: "maria", status: "confirmed", day: "2026-11-24" };
  const search = writeFilters("?tab=orders&payment=captured", filters);
  expect(search).toBe("?tab=orders&q=maria&day=2026-11-24&status=confirmed");
  expect(readFilters(search)).toEqual(filters);
  expect(writeFilters(search, everything)).toBe("?tab=orders");
});

test("the same filters are the same question, spaces aside", () => {
  expect(filtersQuery({ ...everything, q: "  maria " })).toBe("q=maria");
  expect(isFiltered({ ...everything, q: "  " })).toBe(false);
  expect(isFiltered({ ...everything, offer: "1" })).toBe(true);
});
