import { afterEach, expect, test, vi } from "vitest";
import { ApiError, NetworkError } from "@/api/client";
import { showError } from "@/ui/toaster";
import { uploadImage, uploadReplacementImage } from "./upload-image";

const upload = vi.hoisted(() => vi.fn<(...sent: unknown[]) => Promise<unknown>>());
vi.mock("@/api/client", async (original) => ({ ...(await original<object>()), upload }));
vi.mock("@/ui/toaster");

const photo = new File(["x"], "dish.png", { type: "image/png" });

afterEach(() => {
  vi.clearAllMocks();
});

test("each endpoint's answer is read in its own envelope", async () => {
  upload.mockResolvedValueOnce({ data: { url: "/media/1.webp" } });
  expect(await uploadImage(photo, () => {})).toBe("/media/1.webp");
  upload.mockResolvedValueOnce({ url: "/media/2.webp" });
  expect(await uploadReplacementImage(photo, () => {})).toBe("/media/2.webp");
  expect(upload.mock.calls.map(([path, field]) => [path, field])).toEqual([
    ["/api/images/upload", "image"],
    ["/api/upload-image", "file"],
  ]);
  expect(showError).not.toHaveBeenCalled();
});

test.each([
  [() => Promise.resolve({ data: {} }), "Invalid server response format"],
  [() => Promise.reject(new ApiError(500, "", "")), "Failed to upload image"],
  [() => Promise.reject(new ApiError(400, "", '{"message": "5 MB at most."}')), "5 MB at most."],
  [() => Promise.reject(new NetworkError()), /^Failed to upload image\. /],
])("an upload that fails says why: %s", async (answer, sentence) => {
  upload.mockImplementationOnce(answer);
  await expect(uploadImage(photo, () => {})).rejects.toThrow(sentence);
  expect(showError).toHaveBeenCalledExactlyOnceWith("Error", "Failed to process image upload");
});
