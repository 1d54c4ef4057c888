import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import subsetFont from "subset-font";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

const root = dirname(fileURLToPath(import.meta.url));
const pages = resolve(root, "frontend/src/pages");

/** Every page script is an entry, so a new page needs no change here. */
function pageEntries(): Record<string, string> {
  const files = readdirSync(pages, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
    .map((file) => join(pages, file));
  for (const sheet of ["app", "cart", "menu", "public"])
    files.push(resolve(root, `frontend/src/styles/${sheet}.css`));
  return Object.fromEntries(
    files.map((file) => [
      relative(resolve(root, "frontend/src"), file)
        .replace(/\.\w+$/, "")
        .replaceAll("\\", "/"),
      file,
    ]),
  );
}

/**
 * Cuts the display face down to what headings need: one weight, the letters of Western Europe.
 * The package's own Latin file is 36 KB; this one is under 13 KB, and what is outside it (signs,
 * brackets, fractions, Icelandic letters) falls back to the serif named in tokens.css, which also
 * names the file written here.
 */
function displayFont(): Plugin {
  const range = (from: number, to: number) =>
    String.fromCharCode(...Array.from({ length: to - from + 1 }, (_, index) => from + index));
  const accented = range(0xc0, 0xff).replace(/[ÐÞðþ÷]/g, "");
  const ascii = range(0x20, 0x7e).replace(/[#*<=>@[\\\]^_`{|}~]/g, "");
  const letters = `${ascii}\u00a0£€·${accented}Œœ¡¿–—‘’“”•…`;
  return {
    name: "display-font",
    async buildStart() {
      const whole = readFileSync(
        resolve(
          root,
          "node_modules/@fontsource-variable/fraunces/files/fraunces-latin-wght-normal.woff2",
        ),
      );
      const options = {
        targetFormat: "woff2" as const,
        variationAxes: { wght: 600 },
        noLayoutClosure: true,
        // What describes a choice of weights, and hinting that the face has none of. The package's
        // types don't have this option: https://github.com/papandreou/subset-font#readme
        dropTables: ["GDEF", "STAT", "gasp", "prep"],
      };
      const subset = await subsetFont(whole, letters, options);
      const target = resolve(root, "node_modules/.cache/fully-booked/fraunces-600.woff2");
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, subset);
    },
  };
}

/**
 * What the script of the public pages shares with other scripts, in one file. As nine files they were
 * nine requests before the first photo: on Lighthouse's phone the list's largest paint was at 1.67 s.
 */
const SHARED_BY_PUBLIC_PAGES =
  /frontend\/src\/(?:lib\/(?:amounts|cart-offers|cart-store|countdown|i18n|mentions|money|order-sum|seats|sent-order|shared-by)|features\/storefront\/(?:countdowns|field-errors|note-warnings|push|slots|typo-watch|with-yours))\.\w+$/;

/**
 * The cart's script, in few files too: every page with a cart names those that it imports itself, and
 * asks for them at once on the first press of a button. What they import in turn would be asked for
 * only when they are there, and a browser asks a server without HTTP/2 for six at a time: either is one
 * more round trip. Others share them: pages with forms or dialogs, the wallets, and the payment's page.
 */
const FILES_OF_THE_CART = [
  {
    name: "cart-shared",
    test: /frontend\/src\/(?:islands\/containers|ui\/(?:badge|empty-state|inputs|notice|problem-notice|seats|toast-place))\.|lucide-react\/dist\/esm\/(?:createLucideIcon|icons\/(?:check|minus|plus|trash|triangle-exclamation-point|x))\./,
  },
  { name: "client", test: /frontend\/src\/(?:api\/client|lib\/(?:bot-check|failure-words))\./ },
  { name: "dialog", test: /frontend\/src\/ui\/dialog\./ },
  {
    name: "checkout",
    test: /frontend\/src\/(?:features\/cart\/(?:api\/(?:get-cart-offers|leave-checkout)|lib\/(?:pay-with-wallet|problems|result|stay-in-place|wallets))|lib\/processor)\./,
  },
  { name: "payment", test: /frontend\/src\/features\/cart\/components\/payment-step\./ },
];

export default defineConfig({
  root,
  base: "/static/",
  publicDir: false,
  plugins: [displayFont(), react(), tailwindcss()],
  resolve: { alias: { "@": resolve(root, "frontend/src") } },
  build: {
    outDir: "frontend/dist",
    emptyOutDir: true,
    manifest: true,
    rolldownOptions: {
      input: pageEntries(),
      output: {
        codeSplitting: {
          groups: [{ name: "public-shared", test: SHARED_BY_PUBLIC_PAGES }, ...FILES_OF_THE_CART],
        },
      },
    },
  },
  server: { port: 5173, strictPort: true, origin: "http://localhost:5173" },
  test: {
    environment: "happy-dom",
    // One document per worker and not per file, which frontend/testing.ts makes as new.
    pool: "threads",
    isolate: false,
    setupFiles: ["frontend/testing.ts"],
    // A busy machine takes longer; a test that waits too long says so by itself, sooner.
    testTimeout: 30_000,
    include: ["frontend/src/**/*.test.{ts,tsx}"],
  },
});
