import { afterEach, expect, test, vi } from "vitest";
import { ApiError, NetworkError, request } from "./client";

function answer(status: number, text: string, statusText = "") {
  const fetch = vi.fn(
    async (_path: string, _options: RequestInit) =>
      new Response(status === 204 ? null : text, { status, statusText }),
  );
  vi.stubGlobal("fetch", fetch);
  return fetch;
}

afterEach(() => vi.unstubAllGlobals());

test("the message is the status code and the body's text", async () => {
  answer(400, '{"message":"Name is required"}', "Bad Request");
  await expect(request("/api/x")).rejects.toThrow('400: {"message":"Name is required"}');
});

test("an empty body leaves the status text", async () => {
  answer(500, "", "Internal Server Error");
  await expect(request("/api/x")).rejects.toThrow("500: Internal Server Error");
});

test("a 401 is '401: Unauthorized', or nothing when the caller allows it", async () => {
  answer(401, '{"message":"Sign in first"}');
  await expect(request("/api/x")).rejects.toThrow(/^401: Unauthorized$/);
  await expect(request("/api/x", { unauthorized: "empty" })).resolves.toBeNull();
});

test("people read the first field error, else the message", () => {
  const both = '{"message":"m","errors":[{"field":"name","message":"Name is required"}]}';
  expect(new ApiError(400, "", both).sentence).toBe("Name is required");
  expect(new ApiError(400, "", both).errors).toEqual([
    { field: "name", message: "Name is required" },
  ]);
  expect(new ApiError(409, "", '{"message":"m","errors":[]}').sentence).toBe("m");
  expect(new ApiError(502, "Bad Gateway", "<html>").sentence).toBeUndefined();
});

test("an empty answer isn't a failure", async () => {
  answer(204, "");
  await expect(request("/api/x", { method: "DELETE" })).resolves.toBeUndefined();
});

test("no connection is told apart from an answer", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
  await expect(request("/api/x")).rejects.toBeInstanceOf(NetworkError);
});

test("writes carry the CSRF token, JSON and the cookies", async () => {
  const fetch = answer(200, "{}");
  // biome-ignore lint/suspicious/noDocumentCookie: the token arrives as a plain cookie
  document.cookie = "csrftoken=abc123";
  await request("/api/x", { method: "POST", body: { a: 1 } });
  expect(fetch).toHaveBeenCalledWith(
    "/api/x",
    expect.objectContaining({
      body: '{"a":1}',
      credentials: "include",
      headers: expect.objectContaining({
        "X-CSRFToken": "abc123",
        "Content-Type": "application/json",
      }),
    }),
  );
});

test("a call says which restaurant its page shows", async () => {
  const fetch = answer(200, "{}");
  await request("/api/x");
  expect(fetch.mock.calls[0]?.[1].headers).not.toHaveProperty("X-Restaurant");
  document.head.innerHTML = '<meta name="restaurant" content="r-1">';
  await request("/api/x");
  expect(fetch.mock.calls[1]?.[1].headers).toHaveProperty("X-Restaurant", "r-1");
  document.head.innerHTML = "";
});

/** Answers one after the other; what was sent is in `fetch.mock.calls`. */
function answers(...list: (Error | [number, string])[]) {
  const fetch = vi.fn(async (_path: string, _options: RequestInit) => {
    const next = list.shift();
    if (!next || next instanceof Error) throw next;
    return new Response(next[1], { status: next[0] });
  });
  vi.stubGlobal("fetch", fetch);
  return {
    keys: () =>
      fetch.mock.calls.map(
        ([, options]) => (options.headers as Record<string, string>)["Idempotency-Key"],
      ),
  };
}

const refund = (amount: string) =>
  request("/api/orders/o-1/refund", { method: "POST", body: { amount }, once: true });

test("a press whose answer was lost is repeated as the same request", async () => {
  const sent = answers(new TypeError("Failed to fetch"), [503, "{}"], [200, "{}"], [200, "{}"]);
  await expect(refund("1.00")).rejects.toBeInstanceOf(NetworkError);
  await expect(refund("1.00")).rejects.toBeInstanceOf(ApiError);
  await refund("1.00");
  await refund("1.00");
  const [first, second, third, next] = sent.keys();
  expect(first).toMatch(/^[0-9a-f]{32}$/);
  expect([second, third]).toEqual([first, first]);
  expect(next).not.toBe(first);
});

test("two presses at once are one request, and another amount is another", async () => {
  const sent = answers([200, "{}"], [200, "{}"], [200, "{}"]);
  await Promise.all([refund("2.00"), refund("2.00"), refund("3.00")]);
  const [first, second, other] = sent.keys();
  expect(second).toBe(first);
  expect(other).not.toBe(first);
});

test("a refused press is over: the next one is a new request", async () => {
  const sent = answers([400, '{"code":"invalid"}'], [200, "{}"]);
  await expect(refund("4.00")).rejects.toThrow();
  await refund("4.00");
  expect(sent.keys()[1]).not.toBe(sent.keys()[0]);
});

test("a press that is still being processed waits for its answer", async () => {
  vi.useFakeTimers();
  const running: [number, string] = [409, '{"code":"request_in_progress"}'];
  const sent = answers(running, running, [200, '{"done":true}']);
  const pressed = refund("5.00");
  await vi.advanceTimersByTimeAsync(2000);
  await expect(pressed).resolves.toEqual({ done: true });
  expect(new Set(sent.keys()).size).toBe(1);
  vi.useRealTimers();
});
