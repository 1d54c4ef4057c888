import { expect, test } from "vitest";
import type { Tenant } from "@/api/types";
import { findTenants, ownerUrl } from "./find-tenants";

const tenant = (name: string, slug: string, subdomain = slug): Tenant => ({
  id: slug,
  name,
  slug,
  subdomain,
  domain: "",
  status: "active",
  subscriptionTier: "basic",
  createdAt: "2026-11-21T12:00:00Z",
});

const all = [tenant("Luigi's Trattoria", "luigis"), tenant("Casa Verde", "green-house")];

test.each([
  ["", 2],
  ["TRATT", 1],
  ["green", 1],
  ["casa house", 1],
  ["sushi", 0],
])("%j finds %d by name or slug", (search, count) =>
  expect(findTenants(all, search)).toHaveLength(count),
);

test("the owner's door is at the restaurant's host, else under its slug", () => {
  expect(ownerUrl(all[0] as Tenant, ".example.com:8000", "http:")).toBe(
    "http://luigis.example.com:8000/owner-dashboard",
  );
  expect(ownerUrl(tenant("No host", "no-host", ""), ".example.com", "https:")).toBe(
    "/no-host/owner-dashboard",
  );
});
