import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { request } from "@/api/client";
import type { Dish, DishEditInput, DishInput } from "@/api/types";

interface Menu {
  dishes: Dish[];
}

const menuKey = ["/api/dishes/manage"];
const orderKey = ["menu-order"];

/** The regular menu with what is hidden: as the page brought it, and afresh after each change. */
export function useMenu(initial: Dish[]) {
  return useQuery<Menu>({ queryKey: menuKey, initialData: { dishes: initial } }).data.dishes;
}

function useChange<Input, Output>(change: (input: Input) => Promise<Output>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () => queries.invalidateQueries({ queryKey: menuKey }),
  });
}

export const useCreateDish = () =>
  useChange((body: DishInput) => request<Dish>("/api/menu/dishes", { method: "POST", body }));

export const useUpdateDish = () =>
  useChange(({ id, body }: { id: string; body: DishEditInput }) =>
    request<Dish>(`/api/menu/dishes/${id}`, { method: "PUT", body }),
  );

export const useDeleteDish = () =>
  useChange((id: string) =>
    request<{ message: string }>(`/api/menu/dishes/${id}`, { method: "DELETE" }),
  );

/**
 * Puts the menu in order, on the screen at once. Orders are sent one after the other, so that the
 * last one made is the last one kept; after a failure the menu stands as the server has it.
 */
export function useOrderMenu() {
  const queries = useQueryClient();
  return useMutation({
    mutationKey: orderKey,
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
