import { afterEach, expect, test, vi } from "vitest";

const stripe = vi.hoisted(() => ({ load: vi.fn(async () => ({})) }));
vi.mock("@stripe/stripe-js/pure", () => ({ loadStripe: stripe.load }));

const { loadProcessor, prepareProcessor } = await import("./processor");
// Nothing is fetched here: the tests say whether a script loaded.
const append = vi.spyOn(document.head, "append").mockImplementation(() => undefined);
const scripts = () => append.mock.calls.flat() as HTMLScriptElement[];

afterEach(() => vi.clearAllMocks());

test("a script asked for early is added once, and used when a card is asked for", async () => {
  const processor = { publishableKey: "pk_1", scriptUrl: "/once.js" };
  prepareProcessor(processor);
  const loaded = loadProcessor(processor);
  expect(scripts()).toHaveLength(1);
  expect(stripe.load).not.toHaveBeenCalled();
  scripts()[0]?.dispatchEvent(new Event("load"));
  await loaded;
  expect(scripts()).toHaveLength(1);
  expect(stripe.load).toHaveBeenLastCalledWith("pk_1", { locale: "en" });
});

test("a script that could not be loaded early is tried again when a card is asked for", async () => {
  const processor = { publishableKey: "pk_1", scriptUrl: "/again.js" };
  prepareProcessor(processor);
  const failing = loadProcessor(processor);
  scripts()[0]?.dispatchEvent(new Event("error"));
  await expect(failing).rejects.toThrow("The script at /again.js was not loaded.");
  const loaded = loadProcessor(processor);
  expect(scripts()).toHaveLength(2);
  scripts()[1]?.dispatchEvent(new Event("load"));
  await loaded;
  expect(stripe.load).toHaveBeenCalledExactlyOnceWith("pk_1", { locale: "en" });
});

test.each([
  ["es", "es"],
  ["es-MX", "es"],
  ["en-US", "en"],
  ["de", "auto"],
])("on a page in %s the processor speaks %s", async (page, locale) => {
  document.documentElement.lang = page;
  const loaded = loadProcessor({ publishableKey: "pk_1", scriptUrl: `/${page}.js` });
  scripts()[0]?.dispatchEvent(new Event("load"));
  await loaded;
  document.documentElement.lang = "";
  expect(stripe.load).toHaveBeenCalledExactlyOnceWith("pk_1", { locale });
});
