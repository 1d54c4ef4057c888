import { useMutation } from "@tanstack/react-query";
import { request } from "@/api/client";

interface Naming {
  name: string;
  country: string;
  timezone: string;
}

/** The name of a new restaurant and where it is. */
export function useNameRestaurant() {
  return useMutation({
    mutationFn: (body: Naming) => request<unknown>("/api/restaurant", { method: "PUT", body }),
  });
}
