import type { Profile } from "@/api/types";
import { useShowMap } from "../api/profile";
import { Switch } from "./switch";

/** Whether guests see on the menu where the restaurant is. */
export function MapToggle({ profile }: { profile: Profile }) {
  const save = useShowMap();
  return (
    <Switch
      label="Show map on patron menu"
      hint={
        profile.address
          ? `Guests see ${profile.address} with the way there.`
          : "Guests see the map once your address is filled in."
      }
      value={profile.showMapOnPatronMenu}
      onSave={(shown) => save.mutateAsync(shown)}
      failed="Failed to update map setting"
      done="Map display setting updated successfully"
    />
  );
}
