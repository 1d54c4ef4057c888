import { csrfToken } from "../../lib/csrf";
import { gettext } from "../../lib/i18n";

/**
 * Push messages on this device: `[data-push]` (rendered hidden, shown where the browser can do it) with
 * <button data-push-key="…" data-push-start="/api/…" data-push-stop="/api/…">, the server's key and two
 * addresses. Pressed again, it ends it, and so does opening the page with STOP. [data-push-problem] says
 * why not.
 */
const WORKER = "/push-worker.js";
const STORED = "push:";
/** Where the button of a message leads. */
const STOP = "#stop-push";

const isAble = () =>
  "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

function remember(start: string, on: boolean): void {
  try {
    if (on) localStorage.setItem(STORED + start, "1");
    else localStorage.removeItem(STORED + start);
  } catch {
    // Without storage the button offers it once more.
  }
}

function isOn(start: string): boolean {
  try {
    return localStorage.getItem(STORED + start) === "1" && Notification.permission === "granted";
  } catch {
    return false;
  }
}

async function send(path: string, body: object): Promise<void> {
  const restaurant = document.querySelector<HTMLMetaElement>('meta[name="restaurant"]')?.content;
  const answer = await fetch(path, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      "X-CSRFToken": csrfToken(),
      ...(restaurant && { "X-Restaurant": restaurant }),
    },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(String(answer.status));
}

async function subscription(key: string): Promise<PushSubscription> {
  const registered = await navigator.serviceWorker.register(WORKER);
  await navigator.serviceWorker.ready;
  return registered.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
}

async function start(button: HTMLElement, key: string, path: string): Promise<string> {
  if ((await Notification.requestPermission()) !== "granted") {
    return gettext(
      "Notifications are blocked for this site. Allow them in your browser's settings.",
    );
  }
  const { endpoint, keys } = (await subscription(key)).toJSON();
  await send(path, { endpoint, p256dh: keys?.p256dh, auth: keys?.auth });
  remember(path, true);
  show(button, true);
  return "";
}

async function stop(button: HTMLElement, path: string, startPath: string): Promise<string> {
  const registered = await navigator.serviceWorker.getRegistration(WORKER);
  const current = await registered?.pushManager.getSubscription();
  if (current) await send(path, { endpoint: current.endpoint });
  remember(startPath, false);
  show(button, false);
  return "";
}

function show(button: HTMLElement, on: boolean): void {
  const label = button.querySelector("[data-label]") ?? button;
  label.textContent = (on ? button.dataset.on : button.dataset.off) ?? "";
  button.setAttribute("aria-pressed", String(on));
}

export function startPush(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>("[data-push-key]")) {
    const { pushKey, pushStart, pushStop } = button.dataset;
    if (!pushKey || !pushStart || !pushStop || !isAble()) continue;
    const frame = button.closest<HTMLElement>("[data-push]");
    if (frame) frame.hidden = false;
    show(button, isOn(pushStart));
    const press = async (isEnding: boolean) => {
      const problem = frame?.querySelector<HTMLElement>("[data-push-problem]");
      button.disabled = true;
      let says: string;
      try {
        says = isEnding
          ? await stop(button, pushStop, pushStart)
          : await start(button, pushKey, pushStart);
      } catch {
        says = gettext("That didn't work. Check your connection and try again.");
      }
      button.disabled = false;
      if (problem) problem.textContent = says;
    };
    button.addEventListener("click", () => void press(isOn(pushStart)));
    if (location.hash === STOP) {
      // Only once: a reload must not turn off what was turned on again since.
      history.replaceState(null, "", location.pathname + location.search);
      frame?.scrollIntoView({ block: "center" });
      void press(true);
    }
  }
}
