import { useMutation } from "@tanstack/react-query";
import { request } from "@/api/client";

export function useSetPassword() {
  return useMutation({
    mutationFn: (password: string) =>
      request<unknown>("/api/restaurant/password", { method: "PUT", body: { password } }),
  });
}
