import { Check } from "lucide-react";
import type { SaveState } from "../hooks/use-profile-form";

const time = new Intl.DateTimeFormat("en-US", { hour: "numeric", minute: "2-digit" });

/** 'Saving...', then 'All changes saved at {time}', or what went wrong. */
export function SaveStatus({ state }: { state: SaveState }) {
  return (
    <div role="status" className="min-h-6">
      {state.kind === "saving" && <p className="small muted">Saving...</p>}
      {state.kind === "saved" && (
        <p className="status-line text-herb">
          <Check size={18} strokeWidth={1.75} aria-hidden="true" />
          <span>All changes saved at {time.format(state.at)}</span>
        </p>
      )}
      {state.kind === "failed" && <p className="error">{state.sentence}</p>}
    </div>
  );
}
