import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import type { Tenant } from "@/api/types";
import { TenantList } from "./tenant-list";

const harbor: Tenant = {
  id: "9d0c8f0e-3d3d-4a52-8a44-6a1c4b1f0001",
  name: "Greta's Harbor",
  slug: "gretas-harbor",
  subdomain: "harbor",
  domain: "",
  status: "active",
  subscriptionTier: "premium",
  createdAt: "2027-03-22T16:00:00Z",
};
const hill: Tenant = {
  ...harbor,
  id: "9d0c8f0e-3d3d-4a52-8a44-6a1c4b1f0002",
  name: "Greta's Hill",
  slug: "gretas-hill",
  subdomain: "",
  status: "suspended",
  subscriptionTier: "basic",
};

function show(tenants: Tenant[]): void {
  render(
    <TenantList
      tenants={tenants}
      nextCursor={null}
      search=""
      suffix=".example.com"
      createUrl="/platform/register"
    />,
  );
}

const badges = (row: HTMLElement) =>
  [...row.querySelectorAll(".badge")].map((each) => each.textContent);

afterEach(cleanup);

test("each restaurant has a badge of its status and one of its tier, and leads to its sign-in", () => {
  show([harbor, hill]);
  const [first, second] = screen.getAllByRole("listitem");
  if (!first || !second) throw new Error("two restaurants are listed");
  expect(badges(first)).toEqual(["Active", "Premium"]);
  expect(badges(second)).toEqual(["Suspended", "Basic"]);
  const linkOf = (row: HTMLElement) => within(row).getByRole("link").getAttribute("href");
  expect(linkOf(first)).toBe(`${location.protocol}//harbor.example.com/owner-dashboard`);
  expect(linkOf(second)).toBe("/gretas-hill/owner-dashboard");
});

test("a search by slug leaves what matches, and says so when nothing does", () => {
  show([harbor, hill]);
  const search = screen.getByRole("searchbox", { name: "Search by name or slug" });
  fireEvent.change(search, { target: { value: "gretas-hill" } });
  expect(screen.getByRole("status").textContent).toBe("1 restaurant for “gretas-hill”");
  expect(screen.getByRole("link", { name: "Greta's Hill" })).toBeTruthy();
  expect(screen.queryByRole("link", { name: "Greta's Harbor" })).toBeNull();
  fireEvent.change(search, { target: { value: "valley" } });
  expect(screen.getByText("No matching restaurants")).toBeTruthy();
});

test("someone without a restaurant gets a link to register one", () => {
  show([]);
  expect(screen.getByText("No restaurant yet")).toBeTruthy();
  const create = screen.getByRole("link", { name: "Add a restaurant" });
  expect(create.getAttribute("href")).toBe("/platform/register");
});
