import type { Profile } from "@/api/types";
import { useSavePhoneSetting } from "../api/save-phone-setting";
import { Switch } from "./switch";

/** Whether guests must give a phone number to order. */
export function PhoneToggle({ profile }: { profile: Profile }) {
  const save = useSavePhoneSetting();
  return (
    <Switch
      label="Ask guests for a phone number"
      hint="Turn this on only if you call guests. Fewer fields bring more orders."
      value={profile.asksForPhone}
      onSave={(asked) => save.mutateAsync(asked)}
      failed="The setting wasn't saved. Try again."
      done="Setting saved"
    />
  );
}
