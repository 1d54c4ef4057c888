import { afterEach, beforeEach, expect, test, vi } from "vitest";

const guard = { siteKey: "key", startedAt: "signed", minimumSeconds: 0 };
// The script is kept out of the document: nothing is loaded here.
let script: HTMLScriptElement | undefined;

// Its memory of the script that was loaded is the module's own.
async function freshly() {
  vi.resetModules();
  return import("./bot-check");
}

beforeEach(() => {
  vi.useFakeTimers();
  script = undefined;
  vi.spyOn(document.head, "append").mockImplementation((element) => {
    script = element as HTMLScriptElement;
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  document.body.replaceChildren();
  delete window.hcaptcha;
  delete window.onHcaptchaLoad;
});

/** The result of asking for a token: the token, or the problem's title. */
async function outcome(work: Promise<string>): Promise<string> {
  return work.catch((problem: { title: string }) => problem.title);
}

test("without a key the token is empty and no script loads", async () => {
  const { botCheckToken } = await freshly();
  const token = outcome(botCheckToken({ ...guard, siteKey: "" }));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await token).toBe("");
  expect(script).toBeUndefined();
});

test("a check that does not load within ten seconds asks to wait", async () => {
  const { botCheckToken } = await freshly();
  const found = vi.fn();
  void outcome(botCheckToken(guard)).then(found);
  await vi.advanceTimersByTimeAsync(9_000);
  expect(found).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(found).toHaveBeenCalledExactlyOnceWith("Please Wait");
});

test("a script that cannot be loaded is an error, and the next try loads it again", async () => {
  const { botCheckToken } = await freshly();
  const failed = outcome(botCheckToken(guard));
  await vi.advanceTimersByTimeAsync(1_000);
  script?.dispatchEvent(new Event("error"));
  expect(await failed).toBe("Security Error");
  window.hcaptcha = {
    render: () => "widget",
    execute: async () => ({ response: "token" }),
    reset: vi.fn(),
  };
  const token = outcome(botCheckToken(guard));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await token).toBe("token");
});

/** What hCaptcha documents of its script: https://docs.hcaptcha.com/configuration */
function standIn(execute: () => Promise<{ response: string }>) {
  const calls: unknown[] = [];
  window.hcaptcha = {
    render: (container, options) => {
      calls.push(["render", container.isConnected, options]);
      return "widget-1";
    },
    execute: (widget, options) => {
      calls.push(["execute", widget, options]);
      return execute();
    },
    reset: (widget) => calls.push(["reset", widget]),
  };
  window.onHcaptchaLoad?.();
  return calls;
}

test("the documented script is loaded once and asked for a token for each form", async () => {
  const { botCheckToken } = await freshly();
  const first = outcome(botCheckToken(guard));
  await vi.advanceTimersByTimeAsync(1_000);
  const url = new URL(script?.src ?? "");
  expect(`${url.origin}${url.pathname}`).toBe("https://js.hcaptcha.com/1/api.js");
  expect(Object.fromEntries(url.searchParams)).toEqual({
    render: "explicit",
    onload: "onHcaptchaLoad",
  });
  let number = 0;
  const calls = standIn(async () => ({ response: `token-${++number}` }));
  expect(await first).toBe("token-1");
  expect(calls).toEqual([
    ["render", true, { sitekey: "key", size: "invisible" }],
    ["execute", "widget-1", { async: true }],
    ["reset", "widget-1"],
  ]);
  const second = outcome(botCheckToken(guard));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await second).toBe("token-2");
  expect(document.head.append).toHaveBeenCalledOnce();
});

test("a challenge that is closed or a network that fails says so", async () => {
  for (const code of ["challenge-closed", "challenge-expired", "network-error"]) {
    const { botCheckToken } = await freshly();
    const token = outcome(botCheckToken(guard));
    await vi.advanceTimersByTimeAsync(1_000);
    if (!window.hcaptcha) standIn(() => Promise.reject(code));
    expect(await token).toBe("Security Error");
  }
});
