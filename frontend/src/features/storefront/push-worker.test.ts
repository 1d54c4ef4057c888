import { readFileSync } from "node:fs";
import { beforeEach, expect, test, vi } from "vitest";

const source = readFileSync("static/workers/push.js", "utf8");
const shown = vi.fn<(title: string, options: object) => Promise<void>>();
const opened = vi.fn<(url: string) => Promise<void>>();
let tabs: { url: string; focus: () => void }[];
let listeners: Record<string, (event: object) => void>;

/** The worker's script among what a browser gives it. */
beforeEach(() => {
  listeners = {};
  tabs = [];
  vi.clearAllMocks();
  new Function("addEventListener", "registration", "clients", source)(
    (name: string, listener: (event: object) => void) => {
      listeners[name] = listener;
    },
    { showNotification: shown },
    { matchAll: async () => tabs, openWindow: opened },
  );
});

async function happens(name: string, event: object): Promise<void> {
  const work: unknown[] = [];
  listeners[name]?.({ ...event, waitUntil: (each: unknown) => work.push(each) });
  await Promise.all(work);
}

const message = {
  title: "It's on: Lasagna",
  body: "Enough guests ordered.",
  url: "https://luigis.test/specials/1",
  tag: "it_is_on-1",
  stop: { title: "Stop", url: "https://luigis.test/specials/1#stop-push" },
};
const pressed = (action = "") => ({
  action,
  notification: {
    close: () => {},
    data: { url: message.url, stopUrl: message.stop.url },
  },
});

test("a message is shown with a button that stops them", async () => {
  await happens("push", { data: { json: () => message } });
  expect(shown).toHaveBeenCalledExactlyOnceWith("It's on: Lasagna", {
    body: "Enough guests ordered.",
    tag: "it_is_on-1",
    icon: "/icon-192.png",
    actions: [{ action: "stop", title: "Stop" }],
    data: { url: message.url, stopUrl: message.stop.url },
  });
});

test("a message without content shows nothing", async () => {
  await happens("push", { data: null });
  expect(shown).not.toHaveBeenCalled();
});

test("a press opens the special, in the tab that shows it already", async () => {
  await happens("notificationclick", pressed());
  expect(opened).toHaveBeenCalledExactlyOnceWith(message.url);
  const focus = vi.fn();
  tabs = [{ url: message.url, focus }];
  await happens("notificationclick", pressed());
  expect(focus).toHaveBeenCalledOnce();
  expect(opened).toHaveBeenCalledOnce();
});

test("the button opens the page that stops the messages", async () => {
  tabs = [{ url: message.url, focus: vi.fn() }];
  await happens("notificationclick", pressed("stop"));
  expect(opened).toHaveBeenCalledExactlyOnceWith(message.stop.url);
});
