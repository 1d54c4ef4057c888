import { useQuery } from "@tanstack/react-query";
import type { Dish } from "@/api/types";

export interface Menu {
  dishes: Dish[];
}

export const menuKey = ["/api/dishes/manage"];

/** The regular menu with its hidden dishes, as the page rendered it, read again after each change. */
export function useMenu(initial: Dish[]) {
  return useQuery<Menu>({ queryKey: menuKey, initialData: { dishes: initial } }).data.dishes;
}
