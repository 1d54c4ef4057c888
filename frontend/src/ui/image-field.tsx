import { ImagePlus } from "lucide-react";
import { type DragEvent, useEffect, useId, useRef, useState } from "react";
import { Button } from "./button";
import { classNames } from "./class-names";

const TYPES = ["image/jpeg", "image/png", "image/webp", "image/gif"];
const LARGEST = 5 * 1024 * 1024;

/** Why a file cannot be a picture, or null. The server looks again. */
function refuseImage(file: { type: string; size: number }): string | null {
  if (!TYPES.includes(file.type)) return "Choose a JPEG, PNG, WebP or GIF image.";
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

/** Chooses or drops a picture, shows it at once and sends it while the rest is filled in. */
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

  async function take(file: File | undefined) {
    if (!file) return;
    const refusal = refuseImage(file);
    setProblem(refusal);
    if (refusal) return;
    showPreview(URL.createObjectURL(file));
    setProgress(0);
    onBusyChange?.(true);
    try {
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
  return (
    <div className="field">
      <label htmlFor={id}>
        {label} <span className="optional">(optional)</span>
      </label>
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
        {shown ? (
          <img src={shown} alt="" className="dropzone-picture" />
        ) : (
          <ImagePlus size={28} strokeWidth={1.5} aria-hidden="true" className="text-muted" />
        )}
        <div className="stack rhythm-2">
          <input
            ref={input}
            id={id}
            type="file"
            accept={TYPES.join(",")}
            className="dropzone-input"
            aria-describedby={`${id}-hint${message ? ` ${id}-error` : ""}`}
            aria-invalid={message ? true : undefined}
            onChange={(event) => void take(event.target.files?.[0])}
          />
          <p className="hint" id={`${id}-hint`}>
            {hint ?? "JPEG, PNG, WebP or GIF, up to 5 MB. You can also drop a photo here."}
          </p>
          {shown && progress === null && (
            <Button
              size="small"
              variant="quiet"
              className="-ml-3 self-start"
              onClick={() => {
                showPreview(null);
                onChange(null);
              }}
            >
              Remove photo
            </Button>
          )}
          {progress !== null && (
            <progress className="dropzone-progress" value={progress} aria-label="Uploading photo" />
          )}
        </div>
      </div>
      {message && (
        <p className="error" id={`${id}-error`} role="alert">
          {message}
        </p>
      )}
    </div>
  );
}
