import { cleanup } from "@testing-library/react";
import { afterAll, vi } from "vitest";

/**
 * Files of tests share a document, because making one takes longer than most files. After each file
 * it is as it was: empty, without listeners, without anything stored, at the same address.
 */
type Listening = Parameters<EventTarget["addEventListener"]>;

const address = window.location.href;
const listening: [EventTarget, Listening][] = [];
const restore = [window, document].map((target: EventTarget) => {
  const add = target.addEventListener;
  target.addEventListener = (...what: Listening) => {
    listening.push([target, what]);
    add.apply(target, what);
  };
  return () => {
    target.addEventListener = add;
  };
});

afterAll(() => {
  cleanup();
  for (const [target, [type, listener, options]] of listening)
    target.removeEventListener(type, listener, options);
  for (const undo of restore) undo();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  vi.resetModules();
  for (const part of [document.head, document.body]) part.replaceChildren();
  for (const element of [document.documentElement, document.body])
    for (const name of element.getAttributeNames()) element.removeAttribute(name);
  for (const cookie of document.cookie.split("; "))
    if (cookie) document.cookie = `${cookie.split("=")[0]}=; max-age=0; path=/`;
  localStorage.clear();
  sessionStorage.clear();
  window.history.replaceState(null, "", address);
});
