import { useQuery } from "@tanstack/react-query";
import type { Team } from "@/api/types";

export const teamKey = ["/api/team"];

/** The team as the page rendered it, read again after each change. */
export function useTeam(initial: Team) {
  return useQuery<Team>({ queryKey: teamKey, initialData: initial }).data;
}
