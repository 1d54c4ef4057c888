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

test("an empty answer is no failure", async () => {
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
