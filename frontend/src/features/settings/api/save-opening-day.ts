import { request } from "@/api/client";
import type { Profile } from "@/api/types";
import { useProfileMutation } from "../hooks/use-profile-mutation";

export const useSaveOpeningDay = () =>
  useProfileMutation((day: string) =>
    request<Profile>("/api/restaurant/settings", {
      method: "PUT",
      body: { openingDay: day || null },
    }),
  );
