import { useQuery } from "@tanstack/react-query";
import type { Dish } from "@/api/types";

/** The regular menu, from which an alternative is chosen. */
export function useDishes(initial: Dish[] | undefined) {
  return useQuery<{ dishes: Dish[] }>({
    queryKey: ["/api/dishes"],
    initialData: initial && { dishes: initial },
  });
}
