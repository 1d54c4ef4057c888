import { expect, test } from "vitest";
import { labelErrors, labelProblem, suggestLabel } from "./slug";

const reserved = ["www", "admin"];

test.each([
  ["Luigi's Trattoria", "luigis-trattoria"],
  ["Café Müller & Söhne", "cafe-muller-sohne"],
  ["  --Casa   Verde!! -- ", "casa-verde"],
  ["Weißes Rössl", "weisses-rossl"],
  ["寿司", ""],
])("%s suggests %s", (name, label) => expect(suggestLabel(name)).toBe(label));

test("a suggestion is cut to the longest label and never ends with a hyphen", () => {
  const label = suggestLabel(`${"a".repeat(49)} bistro`);
  expect(label).toBe("a".repeat(49));
});

test.each(["abc", "a1-b2", "3guys", "a".repeat(50)])("%s is a good label", (label) =>
  expect(labelErrors(label, { reserved })).toEqual([]),
);

test.each([
  ["ab", "Use 3 to 50 characters"],
  ["a".repeat(51), "Use 3 to 50 characters"],
  ["caffè", "Use only letters, numbers, and hyphens"],
  ["-abc", "Start and end with a letter or a number"],
  ["abc-", "Start and end with a letter or a number"],
  ["WWW", "This word is reserved, choose another"],
])("%s is refused: %s", (label, problem) =>
  expect(labelProblem(labelErrors(label, { reserved }))).toBe(problem),
);

test("several errors are one sentence, joined by commas", () => {
  expect(labelProblem(labelErrors("-é", { reserved }))).toBe(
    "Use 3 to 50 characters, use only letters, numbers, and hyphens, start and end with a letter or a number",
  );
});
