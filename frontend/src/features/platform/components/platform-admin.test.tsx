import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ListedUser } from "@/api/types";
import { Toaster } from "@/ui/toaster";
import { PlatformAdmin } from "./platform-admin";

const ann: ListedUser = {
  id: "9d0c8f0e-3d3d-4a52-8a44-6a1c4b1f0001",
  name: "Ann",
  email: "ann@example.test",
  role: "admin",
  isActive: true,
};
const bob: ListedUser = { ...ann, id: "b", name: "Bob", email: "bob@example.test", role: "user" };

let calls: { method: string; path: string; body: unknown }[] = [];
let answers: Record<string, Response | Promise<Response>> = {};

beforeEach(() => {
  calls = [];
  answers = {};
  vi.stubGlobal("fetch", (path: string, init: RequestInit = {}) => {
    const method = init.method ?? "GET";
    calls.push({ method, path, body: init.body ? JSON.parse(String(init.body)) : undefined });
    return Promise.resolve(
      answers[method] ?? new Response("[]", { headers: { "X-Total-Count": "0" } }),
    );
  });
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function show(users: ListedUser[]): void {
  render(
    <QueryClientProvider
      client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}
    >
      <PlatformAdmin me={ann.id} users={users} total={users.length} entries={[]} />
      <Toaster />
    </QueryClientProvider>,
  );
}

const type = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
const written = () => calls.filter(({ method }) => method !== "GET");

test("the list counts users, and says so when there are none", async () => {
  show([ann, bob]);
  expect(screen.getByText("2 users")).toBeTruthy();
  cleanup();
  show([]);
  expect(screen.getByText("No users found. Create your first user!")).toBeTruthy();
});

test("an incomplete form says so and sends nothing", async () => {
  show([ann]);
  expect(screen.getByText("Create New User")).toBeTruthy();
  type("Name", "Nina");
  fireEvent.click(screen.getByText("Create User"));
  expect(await screen.findByText("Validation Error")).toBeTruthy();
  expect(screen.getAllByText("Please fill in all fields").length).toBeGreaterThan(0);
  expect(written()).toEqual([]);
});

test("a user is created, the form is empty again and the list is read again", async () => {
  answers.POST = new Response(JSON.stringify(bob), { status: 201 });
  show([ann]);
  type("Name", "Bob");
  type("Email", "bob@example.test");
  type("Role", "user");
  fireEvent.click(screen.getByText("Create User"));
  expect(await screen.findByText("User created successfully")).toBeTruthy();
  expect(screen.getAllByText("Success").length).toBeGreaterThan(0);
  expect(written()[0]?.body).toEqual({ name: "Bob", email: "bob@example.test", role: "user" });
  expect((screen.getByLabelText("Name") as HTMLInputElement).value).toBe("");
  await waitFor(() =>
    expect(
      calls.some(({ method, path }) => method === "GET" && path.startsWith("/api/users")),
    ).toBe(true),
  );
});

test("editing fills the form, Cancel empties it, and updating returns to creating", async () => {
  answers.PUT = new Response(JSON.stringify(bob));
  show([ann, bob]);
  fireEvent.click(screen.getByRole("button", { name: "Edit Bob" }));
  expect(screen.getByText("Edit User")).toBeTruthy();
  expect((screen.getByLabelText("Name") as HTMLInputElement).value).toBe("Bob");
  fireEvent.click(screen.getByText("Cancel"));
  expect(screen.getByText("Create New User")).toBeTruthy();
  expect((screen.getByLabelText("Name") as HTMLInputElement).value).toBe("");
  fireEvent.click(screen.getByRole("button", { name: "Edit Bob" }));
  type("Name", "Bobby");
  fireEvent.click(screen.getByText("Update User"));
  expect(await screen.findByText("User updated successfully")).toBeTruthy();
  expect(screen.getByText("Create New User")).toBeTruthy();
  expect(written()[0]).toMatchObject({ method: "PUT", path: "/api/users/b" });
});

test.each([
  ["POST", "Failed to create user"],
  ["PUT", "Failed to update user"],
])("a %s without an explanation fails with our own words", async (method, words) => {
  answers[method] = new Response("", { status: 500 });
  show([ann, bob]);
  if (method === "PUT") fireEvent.click(screen.getByRole("button", { name: "Edit Bob" }));
  type("Name", "Bob");
  type("Email", "bob@example.test");
  type("Role", "user");
  fireEvent.click(screen.getByText(method === "PUT" ? "Update User" : "Create User"));
  expect((await screen.findAllByText(words)).length).toBeGreaterThan(0);
});

test("the submit button waits while a user is created", async () => {
  answers.POST = new Promise<Response>(() => undefined);
  show([ann]);
  type("Name", "Bob");
  type("Email", "bob@example.test");
  type("Role", "user");
  const button = screen.getByText("Create User").closest("button") as HTMLButtonElement;
  fireEvent.click(button);
  await waitFor(() => expect(button.disabled).toBe(true));
});

test("a user is deleted after a question, and nobody deletes themselves", async () => {
  vi.stubGlobal("confirm", () => true);
  answers.DELETE = new Response(null, { status: 204 });
  show([ann, bob]);
  const own = screen.getByRole("button", { name: "Delete Ann" }) as HTMLButtonElement;
  expect(own.disabled).toBe(true);
  fireEvent.click(screen.getByRole("button", { name: "Delete Bob" }));
  expect(await screen.findByText("User deleted successfully")).toBeTruthy();
  expect(written()).toMatchObject([{ method: "DELETE", path: "/api/users/b" }]);
});

test("a deletion that fails without an explanation says so in our own words", async () => {
  vi.stubGlobal("confirm", () => true);
  answers.DELETE = new Response("", { status: 500 });
  show([ann, bob]);
  fireEvent.click(screen.getByRole("button", { name: "Delete Bob" }));
  expect((await screen.findAllByText("Failed to delete user")).length).toBeGreaterThan(0);
});

test("refreshing the log by hand adds a line that says so", async () => {
  show([ann]);
  const logs = within(screen.getByRole("region", { name: "System Logs" }));
  expect(logs.getByText("Live")).toBeTruthy();
  fireEvent.click(logs.getByText("Refresh"));
  expect(await logs.findByText("Logs refreshed manually")).toBeTruthy();
});
