import { request } from "@/api/client";
import type { Dish, DishInput } from "@/api/types";
import { useMenuChange } from "../hooks/use-menu-change";

export const useCreateDish = () =>
  useMenuChange((body: DishInput) => request<Dish>("/api/menu/dishes", { method: "POST", body }));
