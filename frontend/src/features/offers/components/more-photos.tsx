import { ImageField } from "@/ui/image-field";

const MOST = 5;

interface MorePhotosProps {
  urls: string[];
  error?: string;
  upload: (file: File, onProgress: (share: number) => void) => Promise<string>;
  onUploading: (busy: boolean) => void;
  onChange: (urls: string[]) => void;
}

/** The photos beside the first one: each can be removed, and one more added until there are five. */
export function MorePhotos({ urls, error, upload, onUploading, onChange }: MorePhotosProps) {
  return (
    <div className="stack rhythm-2.5">
      {urls.length > 0 && (
        <ul className="cluster list-none p-0" aria-label="More photos">
          {urls.map((url, place) => (
            <li key={url} className="stack rhythm-1">
              <img
                src={url}
                alt={`${place + 2} of ${urls.length + 1}`}
                className="dropzone-picture"
              />
              <button
                type="button"
                className="button button-small button-quiet"
                aria-label={`Remove photo ${place + 2}`}
                onClick={() => onChange(urls.filter((each) => each !== url))}
              >
                Remove
              </button>
            </li>
          ))}
        </ul>
      )}
      {urls.length < MOST && (
        <ImageField
          key={urls.length}
          label="One more photo"
          hint="The table, the cook, the first bite. Guests swipe through them."
          url={null}
          error={error}
          upload={upload}
          onBusyChange={onUploading}
          onChange={(url) => url && onChange([...urls, url])}
        />
      )}
    </div>
  );
}
