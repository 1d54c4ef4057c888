import { ApiError, NetworkError, upload } from "@/api/client";
import { showError } from "@/ui/toaster";

type Progress = (share: number) => void;

async function send(
  path: string,
  field: string,
  file: File,
  onProgress: Progress,
  readUrl: (answer: unknown) => unknown,
): Promise<string> {
  try {
    const url = readUrl(await upload(path, field, file, onProgress));
    if (typeof url !== "string" || !url) throw new Error("Invalid server response format");
    return url;
  } catch (failure) {
    showError("Error", "Failed to process image upload");
    if (failure instanceof ApiError) throw new Error(failure.sentence ?? "Failed to upload image");
    if (failure instanceof NetworkError) {
      throw new Error(`Failed to upload image. ${failure.message}`);
    }
    throw failure;
  }
}

/**
 * Sends the picture of a new offer or of a dish; resolves with its address. Errors have a sentence
 * for the form.
 */
export function uploadImage(file: File, onProgress: Progress): Promise<string> {
  return send("/api/images/upload", "image", file, onProgress, (answer) => {
    return (answer as { data?: { url?: unknown } } | null | undefined)?.data?.url;
  });
}

/** The same for an offer that is being edited: the specification's second endpoint (DECISIONS X29). */
export function uploadReplacementImage(file: File, onProgress: Progress): Promise<string> {
  return send("/api/upload-image", "file", file, onProgress, (answer) => {
    return (answer as { url?: unknown } | null | undefined)?.url;
  });
}
