import type { Profile } from "@/api/types";
import { useSaveRatingsSetting } from "../api/save-ratings-setting";
import { Switch } from "./switch";

/** Whether guests see how many others would order again. */
export function RatingsToggle({ profile }: { profile: Profile }) {
  const save = useSaveRatingsSetting();
  return (
    <Switch
      label="Show guests' answers"
      hint="The day after, one email asks each guest whether they would order the dish again. Your public pages show the count once five have answered."
      value={profile.showsRatings}
      onSave={(shown) => save.mutateAsync(shown)}
      failed="Failed to save the setting"
      done="Setting saved"
    />
  );
}
