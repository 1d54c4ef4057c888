import type { Profile } from "@/api/types";
import { useSaveOptOut } from "../api/save-opt-out";
import { Switch } from "./switch";

/** For owners who announce nothing: the step of the setup counts as done. */
export function OptOut({ profile }: { profile: Profile }) {
  const save = useSaveOptOut();
  return (
    <Switch
      label="We don't use social media"
      hint="Checking this completes the marketing step. You can add links anytime."
      value={profile.marketingOptOut}
      onSave={(out) => save.mutateAsync(out)}
      failed="Failed to update marketing setting"
      done="Marketing setting updated successfully"
    />
  );
}
