import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { ApiError } from "@/api/client";
import { sentenceFor } from "@/lib/server-errors";
import { SaveStatus } from "./save-status";

const at = new Date(2027, 2, 22, 17, 5);
const text = () => screen.getByRole("status").textContent;

afterEach(cleanup);

test("what was refused is named, and nothing says that all is saved", () => {
  const errors = {
    website: "Must be a valid URL",
    latitude: "Latitude must be between -90 and 90",
  };
  render(<SaveStatus state={{ kind: "saved", at }} errors={errors} />);
  expect(text()).toMatch(
    /^Not saved: Latitude, Website\. Everything else was saved at 5:05\sPM\.$/,
  );
});

test("all changes are saved if nothing was refused", () => {
  render(<SaveStatus state={{ kind: "saved", at }} errors={{}} />);
  expect(text()).toMatch(/^All changes saved at 5:05\sPM$/);
});

test("whoever was signed out is told so, and how to save what is still there", () => {
  const sentence = sentenceFor(new ApiError(401, "", ""), "Failed");
  render(<SaveStatus state={{ kind: "failed", sentence }} errors={{}} />);
  expect(text()).toContain("You've been signed out. What you entered is still here.");
  const link = screen.getByRole("link");
  expect(link.getAttribute("href")).toMatch(/^\/login\?next=%2F/);
  expect(link.getAttribute("target")).toBe("_blank");
});
