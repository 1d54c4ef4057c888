import { Camera as CameraIcon, Flashlight, FlashlightOff } from "lucide-react";
import { useRef } from "react";
import { Button } from "@/ui/button";
import { useCamera } from "../hooks/use-camera";

/** The camera's picture with the frame to hold a code in, or why there is none. */
export function Camera({ onCode }: { onCode: (text: string) => void }) {
  const video = useRef<HTMLVideoElement>(null);
  const { state, start, light, switchLight } = useCamera(video, onCode);
  return (
    <div className="camera" data-state={state}>
      <video ref={video} className="camera-picture" playsInline muted aria-label="Camera" />
      {state === "on" && <span className="camera-frame" aria-hidden="true" />}
      {state === "on" && light !== null && (
        <Button
          size="small"
          className="camera-light"
          aria-pressed={light}
          aria-label="Light"
          onClick={() => void switchLight()}
        >
          {light ? (
            <FlashlightOff size="1.25rem" strokeWidth={1.5} aria-hidden="true" />
          ) : (
            <Flashlight size="1.25rem" strokeWidth={1.5} aria-hidden="true" />
          )}
        </Button>
      )}
      {state !== "on" && (
        <div className="camera-text">
          {state === "ask" && (
            <>
              <Button onClick={start}>
                <CameraIcon size="1.25rem" strokeWidth={1.5} aria-hidden="true" />
                Scan with camera
              </Button>
              <p className="small muted">Your browser will ask for camera access once.</p>
            </>
          )}
          {state === "starting" && <p role="status">Starting camera…</p>}
          {state === "refused" && (
            <>
              <p>
                <strong>Camera access is blocked for this site.</strong>
              </p>
              <p className="small muted">
                Allow it in your browser's site settings and reload the page. You can also type the
                code.
              </p>
            </>
          )}
          {state === "none" && (
            <>
              <p>
                <strong>No camera found.</strong>
              </p>
              <p className="small muted">
                Type the code from the guest's email, or use a handheld scanner.
              </p>
              <Button size="small" variant="quiet" onClick={start}>
                Try again
              </Button>
            </>
          )}
        </div>
      )}
    </div>
  );
}
