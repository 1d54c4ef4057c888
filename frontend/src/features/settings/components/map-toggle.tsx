import type { Profile } from "@/api/types";
import { useSaveMapSetting } from "../api/save-map-setting";
import { Switch } from "./switch";

/** Whether guests see on the menu where the restaurant is. */
export function MapToggle({ profile }: { profile: Profile }) {
  const save = useSaveMapSetting();
  return (
    <Switch
      label="Show map on patron menu"
      hint={
        profile.address
          ? `Guests see ${profile.address} and a button that opens it in their maps app.`
          : "Guests see it once you add your address."
      }
      value={profile.showMapOnPatronMenu}
      onSave={(shown) => save.mutateAsync(shown)}
      failed="Failed to update map setting"
      done="Map display setting updated successfully"
    />
  );
}
