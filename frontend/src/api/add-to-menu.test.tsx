import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, test, vi } from "vitest";
import { Toaster } from "@/ui/toaster";
import { useAddToMenu } from "./add-to-menu";
import { createQueryClient } from "./query-client";

function AddButton() {
  const add = useAddToMenu();
  return (
    <button type="button" onClick={() => add.mutate("7")}>
      Add
    </button>
  );
}

function press(): void {
  render(
    <QueryClientProvider client={createQueryClient()}>
      <AddButton />
      <Toaster />
    </QueryClientProvider>,
  );
  fireEvent.click(screen.getByRole("button", { name: "Add" }));
}

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test("the toast shows the server's message about the dish", async () => {
  const message = '"Ramen" has been added to your regular menu.';
  vi.stubGlobal("fetch", async () => new Response(JSON.stringify({ message })));
  press();
  await screen.findByText(message);
});

test("a dish that could not be added is told", async () => {
  vi.stubGlobal("fetch", async () => new Response("", { status: 500 }));
  press();
  await screen.findByText("Failed to add dish to menu");
});
