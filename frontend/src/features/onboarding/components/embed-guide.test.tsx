import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { EmbedGuide } from "./embed-guide";
import { EmbedSites } from "./embed-sites";

afterEach(cleanup);

function show() {
  const { container } = render(
    <EmbedGuide
      restaurantName="Luigi's"
      menuUrl="https://luigis.example.com/menu"
      embedUrl="https://luigis.example.com/embed"
    />,
  );
  return container;
}

test("the guide names where to paste the code, for four kinds of site, step by step", () => {
  const guides = [...show().querySelectorAll("details")].map((each) => [
    each.querySelector("summary")?.textContent,
    each.querySelectorAll("ol > li").length,
    each.querySelector("ol > li")?.textContent,
  ]);
  expect(guides).toEqual([
    ["WordPress", 3, "Open the page where you want your specials and choose Edit."],
    [
      "Squarespace",
      3,
      "Edit the page and add a Code block. Squarespace offers it on its paid business plans.",
    ],
    ["Wix", 3, "In the editor choose Add, then Embed Code, then Embed HTML."],
    ["Custom HTML", 3, "Paste the code where you want the specials, inside the body of your page."],
  ]);
});

test("the menu's address can be opened and copied, and the code follows what is chosen", () => {
  const container = show();
  const menu = screen.getByRole("link", { name: "https://luigis.example.com/menu" });
  expect(menu.getAttribute("href")).toBe("https://luigis.example.com/menu");
  expect(screen.getByRole("button", { name: "Copy link" })).toBeTruthy();
  expect(screen.getByRole("heading", { name: "Customization tips" })).toBeTruthy();
  const code = () => container.querySelector("pre.code")?.textContent ?? "";
  expect(code()).toContain('src="https://luigis.example.com/embed.js"');
  expect(code()).not.toContain("data-theme");
  fireEvent.change(screen.getByLabelText("Colors"), { target: { value: "dark" } });
  fireEvent.change(screen.getByLabelText("Language"), { target: { value: "es" } });
  expect(code()).toContain('data-theme="dark" data-lang="es"');
});

test("sites are added and removed, and a refusal is said at the field", async () => {
  const bodies: unknown[] = [];
  const answers = [
    Response.json({ sites: ["luigis.example.org"], version: "2" }),
    Response.json(
      { code: "invalid", message: "Enter a site's address, such as www.example.com.", errors: [] },
      { status: 400 },
    ),
    Response.json({ sites: [], version: "3" }),
  ];
  vi.stubGlobal("fetch", async (_address: string, options: RequestInit) => {
    bodies.push(JSON.parse(String(options.body)));
    return answers.shift();
  });
  render(<EmbedSites saved={{ sites: [], version: "1" }} />);
  expect(screen.getByText("No sites yet. Add yours, or the frame stays empty.")).toBeTruthy();
  const add = (text: string) => {
    fireEvent.change(screen.getByLabelText("Add a site"), { target: { value: text } });
    fireEvent.click(screen.getByRole("button", { name: "Add" }));
  };
  add("https://luigis.example.org/menu");
  expect(await screen.findByText("luigis.example.org")).toBeTruthy();
  add("not a site");
  expect(await screen.findByText("Enter a site's address, such as www.example.com.")).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "Remove luigis.example.org" }));
  expect(
    await screen.findByText("No sites yet. Add yours, or the frame stays empty."),
  ).toBeTruthy();
  expect(bodies).toEqual([
    { sites: ["https://luigis.example.org/menu"], version: "1" },
    { sites: ["luigis.example.org", "not a site"], version: "2" },
    { sites: [], version: "2" },
  ]);
  vi.unstubAllGlobals();
});

test("a site added while somebody else added another keeps both", async () => {
  const bodies: unknown[] = [];
  const current = { sites: ["theirs.example.org"], version: "2" };
  const both = { sites: ["theirs.example.org", "mine.example.org"], version: "3" };
  const answers = [
    Response.json(
      { code: "edited_meanwhile", message: "Changed.", errors: [], current },
      { status: 409 },
    ),
    Response.json(both),
  ];
  vi.stubGlobal("fetch", async (_address: string, options: RequestInit) => {
    bodies.push(JSON.parse(String(options.body)));
    return answers.shift();
  });
  render(<EmbedSites saved={{ sites: [], version: "1" }} />);
  fireEvent.change(screen.getByLabelText("Add a site"), { target: { value: "mine.example.org" } });
  fireEvent.click(screen.getByRole("button", { name: "Add" }));
  expect(await screen.findByText("theirs.example.org")).toBeTruthy();
  expect(screen.getByText("mine.example.org")).toBeTruthy();
  expect(bodies).toEqual([
    { sites: ["mine.example.org"], version: "1" },
    { sites: both.sites, version: "2" },
  ]);
  vi.unstubAllGlobals();
});
