import { request } from "@/api/client";
import { useMenuChange } from "../hooks/use-menu-change";

export const useDeleteDish = () =>
  useMenuChange((id: string) => request<void>(`/api/menu/dishes/${id}`, { method: "DELETE" }));
