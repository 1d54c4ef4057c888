import { request } from "@/api/client";
import type { Dish, DishEditInput } from "@/api/types";
import { useMenuChange } from "../hooks/use-menu-change";

export const useUpdateDish = () =>
  useMenuChange(({ id, body }: { id: string; body: DishEditInput }) =>
    request<Dish>(`/api/menu/dishes/${id}`, { method: "PATCH", body }),
  );
