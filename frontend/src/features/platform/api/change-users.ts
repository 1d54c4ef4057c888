import { useMutation, useQueryClient } from "@tanstack/react-query";
import { request } from "@/api/client";
import type { ListedUser } from "@/api/types";
import { usersKey } from "./get-users";

export interface UserFields {
  name: string;
  email: string;
  role: string;
  isActive?: boolean;
}

/** A change of the accounts; the list is read again when it succeeds. */
function useChange<Input, Output>(change: (input: Input) => Promise<Output>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () => queries.invalidateQueries({ queryKey: [usersKey] }),
  });
}

export const useCreateUser = () =>
  useChange((body: UserFields) => request<ListedUser>(usersKey, { method: "POST", body }));

export const useUpdateUser = () =>
  useChange(({ id, ...body }: UserFields & { id: string }) =>
    request<ListedUser>(`${usersKey}/${id}`, { method: "PUT", body }),
  );

export const useDeleteUser = () =>
  useChange((id: string) => request<void>(`${usersKey}/${id}`, { method: "DELETE" }));
