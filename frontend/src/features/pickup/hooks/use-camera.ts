import type QrScanner from "qr-scanner";
import { type RefObject, useCallback, useEffect, useRef, useState } from "react";

/** 'ask' waits for a press, since the browser will ask too; 'none' is a device without a camera. */
type CameraState = "ask" | "starting" | "on" | "refused" | "none";

/** Pixels a side that are looked at: enough for an address's code, and quick on a phone. */
const DETAIL = 600;

const canHaveCamera = () => "mediaDevices" in navigator && !!navigator.mediaDevices?.getUserMedia;

/** What the browser would say to a request for the camera; 'prompt' when it will not tell. */
async function permission(): Promise<PermissionState> {
  try {
    return (await navigator.permissions.query({ name: "camera" as PermissionName })).state;
  } catch {
    return "prompt";
  }
}

/** Most of the picture is read, so that a code need not be held quite inside the frame. */
function middle({ videoWidth, videoHeight }: HTMLVideoElement) {
  const side = Math.round(0.9 * Math.min(videoWidth, videoHeight));
  return {
    x: Math.round((videoWidth - side) / 2),
    y: Math.round((videoHeight - side) / 2),
    width: side,
    height: side,
    downScaledWidth: Math.min(side, DETAIL),
    downScaledHeight: Math.min(side, DETAIL),
  };
}

/** Reads QR codes off the camera into `onCode`. The reader is loaded only when it is started. */
export function useCamera(
  video: RefObject<HTMLVideoElement | null>,
  onCode: (text: string) => void,
) {
  const [state, setState] = useState<CameraState>("ask");
  const [light, setLight] = useState<boolean | null>(null);
  const [isWanted, setIsWanted] = useState(false);
  const scanner = useRef<QrScanner | null>(null);
  const read = useRef(onCode);
  read.current = onCode;

  useEffect(() => {
    let ended = false;
    if (!canHaveCamera()) setState("none");
    else {
      void permission().then((answer) => {
        if (ended) return;
        if (answer === "granted") setIsWanted(true);
        if (answer === "denied") setState("refused");
      });
    }
    return () => {
      ended = true;
    };
  }, []);

  useEffect(() => {
    if (!isWanted) return;
    let ended = false;
    setState("starting");
    async function start() {
      try {
        const { default: Scanner } = await import("qr-scanner");
        if (ended || !video.current) return;
        const made = new Scanner(video.current, ({ data }) => read.current(data), {
          preferredCamera: "environment",
          maxScansPerSecond: 10,
          calculateScanRegion: middle,
          onDecodeError: () => undefined,
          returnDetailedScanResult: true,
        });
        scanner.current = made;
        await made.start();
        if (ended) return;
        setState("on");
        const hasLight = await made.hasFlash();
        if (!ended) setLight(hasLight ? false : null);
      } catch {
        if (ended) return;
        setIsWanted(false);
        setState((await permission()) === "denied" ? "refused" : "none");
      }
    }
    void start();
    return () => {
      ended = true;
      scanner.current?.destroy();
      scanner.current = null;
    };
  }, [isWanted, video]);

  const switchLight = useCallback(async () => {
    try {
      await scanner.current?.toggleFlash();
      setLight(scanner.current?.isFlashOn() ?? null);
    } catch {
      setLight(null);
    }
  }, []);

  return { state, start: () => setIsWanted(true), light, switchLight };
}
