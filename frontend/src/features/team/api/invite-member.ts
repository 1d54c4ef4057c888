import { request } from "@/api/client";
import type { Invitation, Role } from "@/api/types";
import { useTeamChange } from "../hooks/use-team-change";

export const useInvite = () =>
  useTeamChange((body: { email: string; role: Role }) =>
    request<Invitation>("/api/team/invitations", { method: "POST", body }),
  );
