import { useMutation, useQueryClient } from "@tanstack/react-query";
import { teamKey } from "../api/get-team";

/** A change to the team; the list is read again when it succeeds. */
export function useTeamChange<Input, Output>(change: (input: Input) => Promise<Output>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () => queries.invalidateQueries({ queryKey: teamKey }),
  });
}
