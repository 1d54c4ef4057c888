import { useMutation, useQueryClient } from "@tanstack/react-query";
import { menuKey } from "../api/get-menu";

/** A change to the menu; the list is read again when it succeeds. */
export function useMenuChange<Input, Output>(change: (input: Input) => Promise<Output>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () => queries.invalidateQueries({ queryKey: menuKey }),
  });
}
