import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { isPhonePhoto, shrunk } from "./shrink-image";

const MEGABYTE = 1024 * 1024;
let canvases: [number, number][];
let written: number;

/** A browser that decodes every photo as `width` by `height` pixels; jsdom decodes none. */
function decoding(width: number, height: number): void {
  vi.stubGlobal("createImageBitmap", async () => ({ width, height, close: () => {} }));
}

const photo = (bytes: number, type = "image/jpeg", name = "IMG_1.JPG") =>
  new File([new Uint8Array(bytes)], name, { type });

beforeEach(() => {
  canvases = [];
  written = 300_000;
  vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue({
    fillRect: () => {},
    drawImage: () => {},
  } as unknown as RenderingContext);
  vi.spyOn(HTMLCanvasElement.prototype, "toBlob").mockImplementation(function (
    this: HTMLCanvasElement,
    done,
    type,
  ) {
    canvases.push([this.width, this.height]);
    done(new Blob([new Uint8Array(written)], { type }));
  });
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

test.each([
  [4032, 3024, [2000, 1500]],
  [3024, 4032, [1500, 2000]],
  [8000, 1000, [2000, 250]],
  [1600, 1200, [1600, 1200]],
])("a photo of %i by %i pixels is drawn at %j", async (width, height, drawn) => {
  decoding(width, height);
  const small = await shrunk(photo(6 * MEGABYTE));
  expect(canvases).toEqual([drawn]);
  expect([small.name, small.type, small.size]).toEqual(["IMG_1.jpg", "image/jpeg", 300_000]);
});

test("a small file of a format that the server reads is sent as it is", async () => {
  decoding(4032, 3024);
  const file = photo(MEGABYTE);
  expect(await shrunk(file)).toBe(file);
  expect(canvases).toEqual([]);
});

test("a GIF is sent as it is, whatever its size", async () => {
  decoding(4032, 3024);
  const file = photo(2 * MEGABYTE, "image/gif", "dish.gif");
  expect(await shrunk(file)).toBe(file);
});

test("a file that drawing would make larger is sent as it is", async () => {
  decoding(4032, 3024);
  written = 3 * MEGABYTE;
  const file = photo(2 * MEGABYTE);
  expect(await shrunk(file)).toBe(file);
});

test.each([
  ["image/heic", "IMG_2.HEIC"],
  ["", "IMG_2.heic"],
])(
  "a phone's photo that the browser reads becomes a JPEG, small as it is: %j %s",
  async (type, name) => {
    decoding(3024, 4032);
    written = 900_000;
    const sent = await shrunk(photo(800_000, type, name));
    expect([sent.name, sent.type]).toEqual(["IMG_2.jpg", "image/jpeg"]);
    expect(isPhonePhoto(sent)).toBe(false);
  },
);

test("a photo that the browser cannot read stays as it is", async () => {
  vi.stubGlobal("createImageBitmap", async () => {
    throw new DOMException("", "InvalidStateError");
  });
  const file = photo(2 * MEGABYTE, "", "IMG_2.HEIC");
  expect(await shrunk(file)).toBe(file);
  expect(isPhonePhoto(file)).toBe(true);
});
