import { request } from "@/api/client";
import { useTeamChange } from "../hooks/use-team-change";

export const useRemove = () =>
  useTeamChange((id: string) => request<void>(`/api/team/members/${id}`, { method: "DELETE" }));
