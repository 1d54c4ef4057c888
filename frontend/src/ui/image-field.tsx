import { Camera } from "lucide-react";
import { type DragEvent, useEffect, useId, useRef, useState } from "react";
import { IMAGE_TYPES, isPhonePhoto, shrunk } from "@/lib/shrink-image";
import { Button } from "./button";
import { classNames } from "./class-names";

/** A phone's own format can be chosen, too: it becomes a JPEG, or we say what to do. */
const CHOICES = [...IMAGE_TYPES, "image/heic", "image/heif", ".heic", ".heif"].join(",");
const LARGEST = 5 * 1024 * 1024;

/** Why a file can't be sent as it is, or null. The server checks again. */
function refuseImage(file: File): string | null {
  if (isPhonePhoto(file)) {
    return "This browser can't read HEIC photos. Send the photo from your phone, or save it as a JPEG first.";
  }
  if (!IMAGE_TYPES.includes(file.type)) return "Choose a JPEG, PNG, WebP, or GIF image.";
  if (file.size > LARGEST) return "This photo is larger than 5 MB. Choose a smaller one.";
  return null;
}

interface ImageFieldProps {
  label: string;
  hint?: string;
  /** The picture that is stored now, if any. */
  url: string | null;
  error?: string;
  /** Sends the file and resolves with its address; reports progress from 0 to 1. */
  upload: (file: File, onProgress: (share: number) => void) => Promise<string>;
  onChange: (url: string | null) => void;
  onBusyChange?: (busy: boolean) => void;
  onPreview?: (url: string | null) => void;
}

/**
 * Lets people choose or drop a picture, shows it at once, and sends it while they fill in the rest.
 */
export function ImageField({
  label,
  hint,
  url,
  error,
  upload,
  onChange,
  onBusyChange,
  onPreview,
}: ImageFieldProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [preview, setPreview] = useState<string | null>(null);
  const [progress, setProgress] = useState<number | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [over, setOver] = useState(false);

  useEffect(() => () => void (preview && URL.revokeObjectURL(preview)), [preview]);

  function showPreview(next: string | null) {
    setPreview(next);
    onPreview?.(next);
  }

  async function take(chosen: File | undefined) {
    if (!chosen) return;
    setProblem(null);
    setProgress(0);
    onBusyChange?.(true);
    try {
      const file = await shrunk(chosen);
      const refusal = refuseImage(file);
      if (refusal) {
        setProblem(refusal);
        return;
      }
      showPreview(URL.createObjectURL(file));
      onChange(await upload(file, setProgress));
    } catch (failure) {
      showPreview(null);
      setProblem(failure instanceof Error ? failure.message : "Failed to upload image");
    } finally {
      setProgress(null);
      onBusyChange?.(false);
      if (input.current) input.current.value = "";
    }
  }

  function drop(event: DragEvent) {
    event.preventDefault();
    setOver(false);
    void take(event.dataTransfer.files[0]);
  }

  const shown = preview ?? url;
  const message = problem ?? error;
  const isBusy = progress !== null;
  return (
    <div className="field">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shortcut; the input below does the same */}
      <div
        className={classNames("dropzone", over && "is-over")}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        {shown && <img src={shown} alt="" className="dropzone-picture" />}
        <label htmlFor={id} className="dropzone-choice">
          <Camera size="1.5rem" strokeWidth={1.5} aria-hidden="true" />
          <span>
            <span className="visually-hidden">{label}: </span>
            {shown ? "Change photo" : "Add a photo"} <span className="optional">(optional)</span>
          </span>
        </label>
        <input
          ref={input}
          id={id}
          type="file"
          accept={CHOICES}
          className="dropzone-input visually-hidden"
          aria-describedby={`${id}-hint${message ? ` ${id}-error` : ""}`}
          aria-invalid={message ? true : undefined}
          onChange={(event) => void take(event.target.files?.[0])}
        />
        {isBusy && (
          <progress
            className="dropzone-progress"
            value={progress}
            aria-label={`Uploading ${label.toLowerCase()}`}
          />
        )}
        <p className="hint" id={`${id}-hint`}>
          {hint ?? "Photos from your phone are fine: we shrink large ones."}
        </p>
        {shown && !isBusy && (
          <Button
            size="small"
            variant="quiet"
            className="dropzone-remove"
            onClick={() => {
              showPreview(null);
              onChange(null);
            }}
          >
            Remove photo
          </Button>
        )}
      </div>
      {message && (
        <p className="error" id={`${id}-error`} role="alert">
          {message}
        </p>
      )}
    </div>
  );
}
