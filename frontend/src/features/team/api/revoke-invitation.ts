import { request } from "@/api/client";
import { useTeamChange } from "../hooks/use-team-change";

export const useRevoke = () =>
  useTeamChange((id: string) => request<void>(`/api/team/invitations/${id}`, { method: "DELETE" }));
