import { useMutation, useQueryClient } from "@tanstack/react-query";
import { request } from "@/api/client";
import type { Dish } from "@/api/types";
import { type Menu, menuKey } from "./get-menu";

/**
 * Reorders the menu, on the screen at once. Requests are sent one after the other, so that the
 * last one made is the last one saved; after a failure the menu is what the server has.
 */
export function useReorderMenu() {
  const queries = useQueryClient();
  return useMutation({
    mutationKey: ["menu-order"],
    scope: { id: "menu-order" },
    mutationFn: (dishes: Dish[]) =>
      request<Menu>("/api/menu/order", {
        method: "PUT",
        body: { ids: dishes.map(({ id }) => id) },
      }),
    onMutate: async (dishes) => {
      await queries.cancelQueries({ queryKey: menuKey });
      queries.setQueryData<Menu>(menuKey, { dishes });
    },
    onError: () => queries.invalidateQueries({ queryKey: menuKey }),
  });
}
