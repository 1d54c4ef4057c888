import { useEffect, useState } from "react";
import { formatTimeLeft, NEAR_DEADLINE, nextTick } from "@/lib/countdown";

/** Time left until `deadline` (ISO), updated as it passes; calls `onZero` once when it passes. */
export function Countdown({ deadline, onZero }: { deadline: string; onZero?: () => void }) {
  const [left, setLeft] = useState(() => Date.parse(deadline) - Date.now());

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const tick = (wasOpen: boolean) => {
      const now = Date.parse(deadline) - Date.now();
      setLeft(now);
      if (now <= 0) {
        if (wasOpen) onZero?.();
        return;
      }
      timer = setTimeout(() => tick(true), nextTick(now));
    };
    tick(false);
    return () => clearTimeout(timer);
  }, [deadline, onZero]);

  return (
    <span
      data-countdown={deadline}
      data-near={left > 0 && left <= NEAR_DEADLINE ? "" : undefined}
      data-over={left <= 0 ? "" : undefined}
    >
      {formatTimeLeft(left)}
    </span>
  );
}
