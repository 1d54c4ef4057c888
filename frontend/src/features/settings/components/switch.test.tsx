import { fireEvent, render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { ApiError } from "@/api/client";
import { Switch } from "./switch";

test("a switch turned after the session ended turns back and stays on its page", async () => {
  const assign = vi.spyOn(window.location, "assign").mockImplementation(() => undefined);
  const onSave = vi.fn().mockRejectedValue(new ApiError(401, "", "{}"));
  render(
    <Switch
      label="Map"
      hint="On your page"
      value={false}
      onSave={onSave}
      failed="Update Failed"
      done="Saved"
    />,
  );
  fireEvent.click(screen.getByRole("switch"));
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toContain("You've been signed out. What you entered is still here.");
  expect(screen.getByRole<HTMLInputElement>("switch").checked).toBe(false);
  expect(onSave).toHaveBeenCalledExactlyOnceWith(true);
  expect(assign).not.toHaveBeenCalled();
});
