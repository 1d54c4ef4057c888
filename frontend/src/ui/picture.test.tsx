import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { Picture } from "./picture";

afterEach(cleanup);

test("a picture that cannot be loaded becomes the drawn plate, and another one is tried", () => {
  const { container, rerender } = render(<Picture url="/media/a.webp" alt="Osso buco" />);
  fireEvent.error(screen.getByRole("img"));
  expect(screen.queryByRole("img")).toBeNull();
  expect(container.querySelector(".plate")).toBeTruthy();
  rerender(<Picture url="/media/b.webp" alt="Osso buco" />);
  expect(screen.getByRole("img").getAttribute("src")).toBe("/media/b.webp");
});
