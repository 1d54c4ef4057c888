import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { request } from "@/api/client";
import type { Invitation, Member, Role, Team } from "@/api/types";

const teamKey = ["/api/team"];

/** The team, as the page brought it, and afresh after each change. */
export function useTeam(initial: Team) {
  return useQuery<Team>({ queryKey: teamKey, initialData: initial }).data;
}

function useChange<Input, Output>(change: (input: Input) => Promise<Output>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () => queries.invalidateQueries({ queryKey: teamKey }),
  });
}

export const useInvite = () =>
  useChange((body: { email: string; role: Role }) =>
    request<Invitation>("/api/team/invitations", { method: "POST", body }),
  );

export const useRevoke = () =>
  useChange((id: string) => request<void>(`/api/team/invitations/${id}`, { method: "DELETE" }));

export const useRemove = () =>
  useChange((id: string) => request<void>(`/api/team/members/${id}`, { method: "DELETE" }));

export const useChangeRole = () =>
  useChange(({ id, role }: { id: string; role: Role }) =>
    request<Member>(`/api/team/members/${id}`, { method: "PUT", body: { role } }),
  );
