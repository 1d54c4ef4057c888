import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Profile } from "@/api/types";
import { profileKey } from "../api/get-profile";

const completionKey = ["/api/restaurant/completion"];
const announcementsKey = ["/api/announcements"];

/** A change whose answer is the whole profile. */
export function useProfileMutation<Input>(save: (input: Input) => Promise<Profile>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: save,
    onSuccess: (profile) => {
      queries.setQueryData(profileKey, profile);
      // Amounts on this page are in the restaurant's new currency from now on.
      document.documentElement.dataset.currency = profile.currency;
      // Saved links are places to announce; an open announcement shows them at once.
      void queries.invalidateQueries({ queryKey: announcementsKey });
      // Not awaited: the profile is saved either way.
      void queries.invalidateQueries({ queryKey: completionKey });
    },
  });
}
