import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen } from "@testing-library/react";
import { useForm } from "react-hook-form";
import { afterEach, expect, test, vi } from "vitest";
import { newOfferValues, type OfferFormValues } from "../lib/offer-schema";
import { OfferFields } from "./offer-fields";

afterEach(cleanup);

function Fields({ hasOrders }: { hasOrders: boolean }) {
  const form = useForm<OfferFormValues>({
    defaultValues: newOfferValues("America/New_York", new Date("2026-11-21T15:00:00Z")),
  });
  return (
    <OfferFields
      form={form}
      dishes={[]}
      timeZone="America/New_York"
      upload={vi.fn()}
      onUploading={() => {}}
      onPicturePreview={() => {}}
      hasOrders={hasOrders}
    />
  );
}

function show(hasOrders: boolean): void {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Fields hasOrders={hasOrders} />
    </QueryClientProvider>,
  );
}

test("what guests who ordered rely on cannot be typed, and says why", () => {
  show(true);
  expect(screen.queryByLabelText("Serve date")).toBeNull();
  expect(screen.queryAllByRole("radio", { name: /Another time/ })).toEqual([]);
  for (const sentence of [
    "Guests have ordered for this day and deadline, so both are fixed.",
    "Guests have ordered at this price: you can lower it, not raise it.",
    "Guests have ordered with this minimum: you can lower it, not raise it.",
  ]) {
    expect(screen.getByText(sentence)).toBeTruthy();
  }
});

test("without orders day and deadline can be chosen", () => {
  show(false);
  expect(screen.getByLabelText("Serve date")).toBeTruthy();
  expect(screen.getByRole("radio", { name: /Another time/ })).toBeTruthy();
  expect(screen.queryByText(/^Guests have ordered/)).toBeNull();
});
