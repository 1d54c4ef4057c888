import { request } from "@/api/client";
import type { Member, Role } from "@/api/types";
import { useTeamChange } from "../hooks/use-team-change";

export const useChangeRole = () =>
  useTeamChange(({ id, role }: { id: string; role: Role }) =>
    request<Member>(`/api/team/members/${id}`, { method: "PATCH", body: { role } }),
  );
