import { afterEach, expect, test, vi } from "vitest";

async function freshly() {
  vi.resetModules();
  return { ...(await import("./i18n")), ...(await import("./times")) };
}

function speakSpanish(): void {
  document.documentElement.lang = "es";
  document.body.innerHTML = `<script id="catalog" type="application/json">${JSON.stringify({
    Cart: "Carrito",
    "%s portion": ["%s porción", "%s porciones"],
  })}</script>`;
}

afterEach(() => {
  document.documentElement.lang = "";
  document.body.innerHTML = "";
});

test("without a catalog the text is what is written", async () => {
  const { gettext, ngettext } = await freshly();
  expect(gettext("Cart")).toBe("Cart");
  expect([0, 1, 2].map((count) => ngettext("%s portion", "%s portions", count))).toEqual([
    "%s portions",
    "%s portion",
    "%s portions",
  ]);
});

test("with one it is said in the page's language, and in English where it says nothing", async () => {
  speakSpanish();
  const { gettext, ngettext } = await freshly();
  expect(gettext("Cart")).toBe("Carrito");
  expect(gettext("Checkout")).toBe("Checkout");
  expect(ngettext("%s portion", "%s portions", 1)).toBe("%s porción");
  expect(ngettext("%s portion", "%s portions", 3)).toBe("%s porciones");
});

test("texts are filled in by position and by name", async () => {
  const { interpolate } = await freshly();
  expect(interpolate("%s of %s", [3, "12"])).toBe("3 of 12");
  expect(interpolate("%(b)s, %(a)s", { a: 1, b: 2 }, true)).toBe("2, 1");
});

test("days and moments read as the server writes them", async () => {
  speakSpanish();
  const { formatDay, formatMoment } = await freshly();
  expect(formatDay("2026-11-26")).toBe("jue 26 nov");
  const moment = formatMoment("2026-11-24T23:00:00Z", "America/New_York");
  expect(moment.replaceAll("\u00a0", " ")).toBe("mar 24 nov, 6:00 p. m. EST");
});
