import { afterEach, expect, test } from "vitest";
import { replaceBrokenPictures } from "./pictures";

afterEach(() => document.body.replaceChildren());

test("a dish's picture that cannot be loaded becomes the drawn plate with its text", () => {
  document.body.innerHTML =
    '<div class="media"><picture><img src="/media/a.webp" alt="Osso buco"></picture></div>' +
    '<p><img src="/media/b.webp" alt="A map"></p>';
  replaceBrokenPictures();
  for (const image of document.querySelectorAll("img")) image.dispatchEvent(new Event("error"));
  const plate = document.querySelector(".media .plate");
  expect(plate?.getAttribute("aria-label")).toBe("Osso buco");
  expect(document.querySelectorAll(".media img")).toHaveLength(0);
  expect(document.querySelectorAll("p img")).toHaveLength(1);
});
