import { expect, test } from "vitest";
import { handleOf, linkOf, presentLinks } from "./social-links";

test.each([
  ["facebook", "luigis", "https://facebook.com/luigis"],
  ["facebook", "  @luigis ", "https://facebook.com/luigis"],
  ["facebook", "https://www.facebook.com/luigis/", "https://facebook.com/luigis"],
  ["facebook", "m.facebook.com/luigis", "https://facebook.com/luigis"],
  ["facebook", "profile.php?id=7", "https://facebook.com/profile.php?id=7"],
  ["instagram", "http://instagram.com/luigis", "https://instagram.com/luigis"],
  ["twitter", "https://x.com/@luigis", "https://twitter.com/luigis"],
  ["twitter", "", ""],
  ["twitter", "https://twitter.com/", ""],
  ["instagram", "https://facebook.com/luigis", null],
  ["facebook", "javascript:alert(1)", null],
  ["facebook", "https://facebook.com.evil.example/luigis", null],
  ["facebook", "two words", null],
] as const)("of %s, %j is stored as %j", (platform, typed, stored) => {
  expect(linkOf(platform, typed)).toBe(stored);
});

test("the prefix is stripped when a stored link is shown", () => {
  expect(handleOf("facebook", "https://www.facebook.com/luigis")).toBe("luigis");
  expect(handleOf("twitter", "https://x.com/luigis")).toBe("luigis");
});

test("links are listed in the platforms' order, those there are", () => {
  expect(presentLinks({ twitter: "https://x.com/l", facebook: "https://facebook.com/l" })).toEqual([
    { platform: "facebook", link: "https://facebook.com/l" },
    { platform: "twitter", link: "https://x.com/l" },
  ]);
});
