import { useMutation } from "@tanstack/react-query";
import { request } from "@/api/client";

export function useRenameRestaurant() {
  return useMutation({
    mutationFn: (name: string) =>
      request<unknown>("/api/restaurant", { method: "PUT", body: { name } }),
  });
}
