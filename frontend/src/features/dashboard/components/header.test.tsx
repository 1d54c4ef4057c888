import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import type { DashboardLinks } from "../types";
import { Header } from "./header";

const links = {
  upgrade: "/branded-setup",
  settings: "/restaurant/settings",
  menu: "/restaurant/menu",
} as DashboardLinks;

afterEach(cleanup);

test("a free restaurant reads its name, its tier and the way up", () => {
  render(<Header restaurantName="Luigi's" tier="free" links={links} />);
  expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("Luigi's");
  expect(screen.getByText("Free Tier")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Upgrade" }).getAttribute("href")).toBe("/branded-setup");
});

test("without a name it is the restaurant's dashboard, and a paid tier has no badge", () => {
  render(<Header restaurantName="" tier="branded" links={links} />);
  expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("Restaurant Dashboard");
  expect(screen.queryByText("Free Tier")).toBeNull();
  expect(screen.queryByRole("link", { name: "Upgrade" })).toBeNull();
});
