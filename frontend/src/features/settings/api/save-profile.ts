import { request } from "@/api/client";
import type { Profile, ProfileInput } from "@/api/types";
import { useProfileMutation } from "../hooks/use-profile-mutation";

export const useSaveProfile = () =>
  useProfileMutation((body: ProfileInput) =>
    request<Profile>("/api/restaurant", { method: "PUT", body }),
  );
