import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { request } from "@/api/client";
import type { Places, Profile, ProfileInput } from "@/api/types";
import type { Links } from "../lib/social-links";

const profileKey = ["/api/restaurant/profile"];
const completionKey = ["/api/restaurant/completion"];
const announcementsKey = ["/api/announcements"];

/** The restaurant's profile: as the page brought it, else fetched. */
export function useProfile(initial?: Profile) {
  return useQuery<Profile>({ queryKey: profileKey, initialData: initial });
}

/** The lists that forms offer. */
export function usePlaces(initial?: Places) {
  return useQuery<Places>({ queryKey: ["/api/places"], initialData: initial });
}

function useWrite<Input>(path: string, body: (input: Input) => unknown) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (input: Input) => request<Profile>(path, { method: "PUT", body: body(input) }),
    onSuccess: (profile) => {
      queries.setQueryData(profileKey, profile);
      // What is written on this page from now on is in the restaurant's currency too.
      document.documentElement.dataset.currency = profile.currency;
      // Saved links are places to announce; an open announcement knows them at once.
      void queries.invalidateQueries({ queryKey: announcementsKey });
      // Not waited for: what was saved is saved.
      void queries.invalidateQueries({ queryKey: completionKey });
    },
  });
}

export const useSaveProfile = () => useWrite<ProfileInput>("/api/restaurant", (changes) => changes);

export const useSaveLinks = () =>
  useWrite<Links>("/api/restaurant/social", (links) => ({ socialMediaLinks: links }));

export const useShowMap = () =>
  useWrite<boolean>("/api/restaurant/settings", (shown) => ({ show_map_on_patron_menu: shown }));

export const useOptOut = () =>
  useWrite<boolean>("/api/restaurant/settings", (out) => ({ marketing_opt_out: out }));
