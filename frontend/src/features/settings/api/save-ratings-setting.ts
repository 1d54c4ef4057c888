import { request } from "@/api/client";
import type { Profile } from "@/api/types";
import { useProfileMutation } from "../hooks/use-profile-mutation";

export const useSaveRatingsSetting = () =>
  useProfileMutation((shown: boolean) =>
    request<Profile>("/api/restaurant/settings", { method: "PUT", body: { showsRatings: shown } }),
  );
