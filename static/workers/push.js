/*
 * Service worker of push messages: shows what the server sends, and opens its page when pressed. Its
 * other button opens the page that ends the messages. It stores nothing and answers no requests.
 * https://www.w3.org/TR/push-api/, https://notifications.spec.whatwg.org/
 */
addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));

addEventListener("push", (event) => {
  const { title, body, url, tag, stop } = event.data?.json() ?? {};
  if (!title) return;
  const icon = "/icon-192.png";
  const actions = stop ? [{ action: "stop", title: stop.title }] : [];
  const data = { url, stopUrl: stop?.url };
  event.waitUntil(registration.showNotification(title, { body, tag, icon, actions, data }));
});

addEventListener("notificationclick", (event) => {
  event.notification.close();
  const { url, stopUrl } = event.notification.data ?? {};
  const wanted = event.action === "stop" ? stopUrl : url;
  if (wanted) event.waitUntil(openPage(wanted));
});

async function openPage(url) {
  const open = await clients.matchAll({ type: "window" });
  const same = open.find((each) => each.url === url);
  await (same ? same.focus() : clients.openWindow(url));
}
