import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { EmbedGuide } from "./embed-guide";

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

test("the menu's address can be opened and copied, and the code follows the chosen height", () => {
  const container = show();
  const menu = screen.getByRole("link", { name: "https://luigis.example.com/menu" });
  expect(menu.getAttribute("href")).toBe("https://luigis.example.com/menu");
  expect(screen.getByRole("button", { name: "Copy link" })).toBeTruthy();
  expect(screen.getByRole("heading", { name: "Customization tips" })).toBeTruthy();
  const code = () => container.querySelector("pre.code")?.textContent ?? "";
  expect(code()).toContain('src="https://luigis.example.com/embed"');
  expect(code()).toContain("720");
  fireEvent.change(screen.getByLabelText("Height in pixels"), { target: { value: "1100" } });
  expect(code()).toContain("1100");
  expect(code()).not.toContain("720");
});
