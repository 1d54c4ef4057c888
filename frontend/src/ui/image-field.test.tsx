import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { ImageField } from "./image-field";

const upload = vi.fn<(file: File) => Promise<string>>();

function choose(name: string, type: string, bytes = 10): void {
  render(<ImageField label="Photo" url={null} upload={upload} onChange={() => {}} />);
  const file = new File([new Uint8Array(bytes)], name, { type });
  fireEvent.change(screen.getByLabelText(/Photo/), { target: { files: [file] } });
}

afterEach(() => {
  cleanup();
  vi.clearAllMocks();
});

test.each([
  ["IMG_2.HEIC", "", /^This browser can't read HEIC photos\. .* save it as a JPEG first\.$/],
  ["IMG_2.heif", "image/heif", /^This browser can't read HEIC photos\./],
  ["menu.pdf", "application/pdf", "Choose a JPEG, PNG, WebP, or GIF image."],
])("what this browser cannot read is refused before it is sent: %s", async (name, type, says) => {
  choose(name, type);
  expect((await screen.findByRole("alert")).textContent).toMatch(says);
  expect(upload).not.toHaveBeenCalled();
});

test("a photo that stays larger than 5 MB is refused before it is sent", async () => {
  choose("dish.png", "image/png", 5 * 1024 * 1024 + 1);
  expect((await screen.findByRole("alert")).textContent).toMatch("larger than 5 MB");
  expect(upload).not.toHaveBeenCalled();
});

test("a photo is sent at once, and the field then offers to change it", async () => {
  vi.stubGlobal("URL", { ...URL, createObjectURL: () => "blob:1", revokeObjectURL: () => {} });
  upload.mockResolvedValue("/media/1.webp");
  choose("dish.png", "image/png");
  await waitFor(() => expect(screen.getByText(/Change photo/)).toBeTruthy());
  expect(upload).toHaveBeenCalledOnce();
  expect(screen.queryByRole("alert")).toBeNull();
  vi.unstubAllGlobals();
});
