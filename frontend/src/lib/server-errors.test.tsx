import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { ApiError, NetworkError } from "@/api/client";
import { sentenceFor } from "./server-errors";

test("a call refused after the session ended says how to sign in beside the page", () => {
  const { container } = render(<p>{sentenceFor(new ApiError(401, "", "{}"), "Failed.")}</p>);
  expect(container.textContent).toBe(
    "You've been signed out. What you entered is still here. Sign in again in a new tab, then try again.",
  );
  const link = screen.getByRole("link");
  expect(link.getAttribute("href")).toBe(`/login?next=${encodeURIComponent(location.pathname)}`);
  expect(link.getAttribute("target")).toBe("_blank");
});

test("any other failure is the server's sentence, else ours", () => {
  expect(sentenceFor(new ApiError(409, "", '{"message":"Sold out."}'), "Failed.")).toBe(
    "Sold out.",
  );
  expect(sentenceFor(new ApiError(500, "", ""), "Failed.")).toBe("Failed.");
  expect(sentenceFor(new NetworkError(), "Failed.")).toContain("Check your connection");
});
