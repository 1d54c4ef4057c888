import { request } from "@/api/client";
import type { Profile } from "@/api/types";
import { useProfileMutation } from "../hooks/use-profile-mutation";
import type { Links } from "../lib/social-links";

export const useSaveLinks = () =>
  useProfileMutation(({ links, version }: { links: Links; version: string }) =>
    request<Profile>("/api/restaurant/social", {
      method: "PUT",
      body: { socialMediaLinks: links, version },
    }),
  );
