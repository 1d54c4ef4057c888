import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startPush } from "./push";

let sent: [string, unknown][];
let permission: NotificationPermission;
const current = {
  endpoint: "https://push.test/1",
  toJSON: () => ({ endpoint: "https://push.test/1", keys: { p256dh: "P", auth: "A" } }),
};

beforeEach(() => {
  Element.prototype.scrollIntoView = () => {};
  sent = [];
  permission = "granted";
  localStorage.clear();
  document.body.innerHTML = `<div data-push hidden>
    <button data-push-key="KEY" data-push-start="/api/specials/1/follow" data-push-stop="/api/specials/1/unfollow"
      data-on="Stop" data-off="Notify me"><span data-label></span></button>
    <p data-push-problem></p></div>`;
  const registration = {
    pushManager: { subscribe: async () => current, getSubscription: async () => current },
  };
  vi.stubGlobal("PushManager", class {});
  vi.stubGlobal("Notification", {
    get permission() {
      return permission;
    },
    requestPermission: async () => permission,
  });
  Object.defineProperty(navigator, "serviceWorker", {
    configurable: true,
    value: {
      register: async () => registration,
      ready: Promise.resolve(registration),
      getRegistration: async () => registration,
    },
  });
  vi.stubGlobal("fetch", async (path: string, { body }: RequestInit) => {
    sent.push([path, JSON.parse(String(body))]);
    return new Response(null, { status: 204 });
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
  Reflect.deleteProperty(navigator, "serviceWorker");
});

const button = () => document.querySelector("button") as HTMLButtonElement;

test("one press follows a special and the next one stops", async () => {
  startPush();
  expect(document.querySelector<HTMLElement>("[data-push]")?.hidden).toBe(false);
  button().click();
  await vi.waitFor(() => expect(button().textContent).toBe("Stop"));
  button().click();
  await vi.waitFor(() => expect(button().textContent).toBe("Notify me"));
  expect(sent).toEqual([
    ["/api/specials/1/follow", { endpoint: "https://push.test/1", p256dh: "P", auth: "A" }],
    ["/api/specials/1/unfollow", { endpoint: "https://push.test/1" }],
  ]);
});

test.each(["1", null])("the link of a message ends it once, remembered or not: %s", async (on) => {
  if (on) localStorage.setItem("push:/api/specials/1/follow", on);
  location.hash = "#stop-push";
  startPush();
  await vi.waitFor(() => expect(sent).toHaveLength(1));
  expect(sent).toEqual([["/api/specials/1/unfollow", { endpoint: "https://push.test/1" }]]);
  await vi.waitFor(() => expect(button().textContent).toBe("Notify me"));
  expect(location.hash).toBe("");
  startPush();
  expect(sent).toHaveLength(1);
});

test("blocked notifications are explained and nothing is sent", async () => {
  permission = "denied";
  startPush();
  button().click();
  const problem = document.querySelector("[data-push-problem]");
  await vi.waitFor(() => expect(problem?.textContent).toContain("blocked for this site"));
  expect(sent).toEqual([]);
});

test("a browser without push shows nothing", () => {
  vi.unstubAllGlobals();
  Reflect.deleteProperty(navigator, "serviceWorker");
  startPush();
  expect(document.querySelector<HTMLElement>("[data-push]")?.hidden).toBe(true);
});
