import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { request } from "@/api/client";
import type { ListedUser } from "@/api/types";

export interface Users {
  users: ListedUser[];
  /** How many match in all. */
  total: number;
}

export const usersKey = "/api/users";

/** The accounts that match; those that the page came with need no call. */
export function useUsers(search: string, limit: number, initial: Users) {
  return useQuery<Users>({
    queryKey: [usersKey, search, limit],
    queryFn: async ({ signal }) => {
      let total = 0;
      const users = await request<ListedUser[]>(
        `${usersKey}?${new URLSearchParams({ search, limit: String(limit) })}`,
        {
          signal,
          onHeaders: (headers) => {
            total = Number(headers.get("X-Total-Count") ?? 0);
          },
        },
      );
      return { users, total };
    },
    initialData: search === "" && limit === FIRST_PAGE ? initial : undefined,
    placeholderData: limit > FIRST_PAGE ? keepPreviousData : undefined,
  });
}

export const FIRST_PAGE = 50;
export const MOST = 200;
