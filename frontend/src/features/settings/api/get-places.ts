import { useQuery } from "@tanstack/react-query";
import type { Places } from "@/api/types";

/** Countries, states and time zones for the form's lists. */
export function usePlaces(initial?: Places) {
  return useQuery<Places>({ queryKey: ["/api/places"], initialData: initial });
}
