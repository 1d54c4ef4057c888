/** The formats that the server reads. */
export const IMAGE_TYPES = ["image/jpeg", "image/png", "image/webp", "image/gif"];

/**
 * No stored width is larger. For a portrait photo, the longer side may be a bit more than it needs.
 */
const LONGEST_SIDE = 2000;
const JPEG_QUALITY = 0.85;
/** Smaller files are sent as they are, if the server reads their format. */
const SMALL_BYTES = 1024 * 1024;

/** Not every browser names the format of a phone's photo, so the name counts too. */
export const isPhonePhoto = ({ type, name }: { type: string; name: string }) =>
  /^image\/hei[cf]/.test(type) || /\.hei[cf]$/i.test(name);

/**
 * A photo small enough to send from a phone: scaled down and written as JPEG, upright. A small one,
 * and one that this browser cannot read, stays as it is.
 *
 * A bitmap made from a file is turned by its EXIF orientation:
 * https://developer.mozilla.org/en-US/docs/Web/API/Window/createImageBitmap
 */
export async function shrunk(file: File): Promise<File> {
  const isRead = IMAGE_TYPES.includes(file.type);
  if (file.type === "image/gif" || (isRead && file.size <= SMALL_BYTES)) return file;
  try {
    const bitmap = await createImageBitmap(file);
    const scale = Math.min(1, LONGEST_SIDE / Math.max(bitmap.width, bitmap.height));
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(bitmap.width * scale);
    canvas.height = Math.round(bitmap.height * scale);
    const drawing = canvas.getContext("2d");
    if (!drawing) return file;
    // JPEG has no transparency: transparent parts would turn black.
    drawing.fillStyle = "#fff";
    drawing.fillRect(0, 0, canvas.width, canvas.height);
    drawing.imageSmoothingQuality = "high";
    drawing.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    bitmap.close();
    const blob = await new Promise<Blob | null>((done) =>
      canvas.toBlob(done, "image/jpeg", JPEG_QUALITY),
    );
    if (!blob || (isRead && blob.size >= file.size)) return file;
    return new File([blob], `${file.name.replace(/\.\w+$/, "")}.jpg`, { type: "image/jpeg" });
  } catch {
    return file;
  }
}
