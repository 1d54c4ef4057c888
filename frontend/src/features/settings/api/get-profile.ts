import { useQuery } from "@tanstack/react-query";
import type { Profile } from "@/api/types";

export const profileKey = ["/api/restaurant/profile"];

/** The restaurant's profile: as the page rendered it, else fetched. */
export function useProfile(initial?: Profile) {
  return useQuery<Profile>({ queryKey: profileKey, initialData: initial });
}
