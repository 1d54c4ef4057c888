import { useEffect, useState } from "react";
import { Button } from "@/ui/button";
import { showSuccess } from "@/ui/toaster";

/** From the last press to the dashboard. */
const LEAVE_AFTER = 2000;

interface FinishProps {
  /** Whether an announcement is written. */
  ready: boolean;
  /** What to do first, while none is. */
  hint: string;
  hubUrl: string;
}

/** The end of Quick Start: on to the dashboard once there is something to announce. */
export function Finish({ ready, hint, hubUrl }: FinishProps) {
  const [leaving, setLeaving] = useState(false);

  useEffect(() => {
    if (!leaving) return;
    const timer = setTimeout(() => location.assign(hubUrl), LEAVE_AFTER);
    return () => clearTimeout(timer);
  }, [leaving, hubUrl]);

  function finish() {
    showSuccess(
      "Announcement Ready!",
      "Your special offers are ready to share. Redirecting to dashboard...",
    );
    setLeaving(true);
  }

  return (
    <div className="stack rhythm-2">
      <Button
        variant="primary"
        size="large"
        className="self-start max-sm:w-full"
        disabled={!ready}
        busy={leaving}
        aria-describedby={ready ? undefined : "finish-hint"}
        onClick={finish}
      >
        Complete Setup & Go to Dashboard
      </Button>
      {!ready && (
        <p className="hint" id="finish-hint">
          {hint}
        </p>
      )}
    </div>
  );
}
