import { Check } from "lucide-react";
import type { SaveState } from "../hooks/use-profile-form";
import { fieldLabels, type ProfileField, profileFields } from "../lib/profile-form";

const time = new Intl.DateTimeFormat("en-US", { hour: "numeric", minute: "2-digit" });

interface SaveStatusProps {
  state: SaveState;
  /** The fields that were refused, with the reason. */
  errors: Partial<Record<ProfileField, string>>;
}

/** 'Saving...', then 'All changes saved at {time}', or what was not saved and why. */
export function SaveStatus({ state, errors }: SaveStatusProps) {
  const refused = profileFields.filter((field) => errors[field]);
  if (refused.length > 0 && state.kind !== "saving") {
    return (
      <div role="status" className="min-h-6">
        <p className="error">
          Not saved: {refused.map((field) => fieldLabels[field]).join(", ")}.
          {state.kind === "saved" && ` Everything else was saved at ${time.format(state.at)}.`}
        </p>
      </div>
    );
  }
  return (
    <div role="status" className="min-h-6">
      {state.kind === "saving" && <p className="small muted">Saving...</p>}
      {state.kind === "saved" && (
        <p className="status-line text-herb">
          <Check size="1.125rem" strokeWidth={1.75} aria-hidden="true" />
          <span>All changes saved at {time.format(state.at)}</span>
        </p>
      )}
      {state.kind === "failed" && <p className="error">{state.sentence}</p>}
    </div>
  );
}
