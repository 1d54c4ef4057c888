import { afterEach, expect, test, vi } from "vitest";
import { createQueryClient } from "./query-client";

afterEach(() => {
  vi.unstubAllGlobals();
});

test("data never goes stale, and nothing is fetched or tried again by itself", () => {
  const { queries, mutations } = createQueryClient().getDefaultOptions();
  expect(queries).toMatchObject({
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: false,
    refetchOnWindowFocus: false,
    retry: false,
  });
  expect(mutations?.retry).toBe(false);
});

test("a query without a loader of its own gets the path its key spells", async () => {
  const fetched = vi.fn(async (_path: string, _options: RequestInit) => new Response('{"ok": 1}'));
  vi.stubGlobal("fetch", fetched);
  const client = createQueryClient();
  expect(await client.fetchQuery({ queryKey: ["/api/specials", "available"] })).toEqual({ ok: 1 });
  expect(fetched.mock.calls[0]?.[0]).toBe("/api/specials/available");
  fetched.mockResolvedValue(new Response("", { status: 500 }));
  await expect(client.fetchQuery({ queryKey: ["/api/dishes"] })).rejects.toThrow();
  expect(fetched).toHaveBeenCalledTimes(2);
});
