import { request } from "@/api/client";
import type { Profile } from "@/api/types";
import { useProfileMutation } from "../hooks/use-profile-mutation";

export const useSaveOptOut = () =>
  useProfileMutation((out: boolean) =>
    request<Profile>("/api/restaurant/settings", {
      method: "PUT",
      body: { marketingOptOut: out },
    }),
  );
