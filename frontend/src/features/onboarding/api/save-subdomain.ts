import { useMutation } from "@tanstack/react-query";
import { request } from "@/api/client";
import type { ChosenSubdomain } from "@/api/types";

/** How long saving may take. */
export const SAVE_TIMEOUT = 15_000;

/** No answer came in time, so it isn't known whether the address was saved. */
export class SaveTimeout extends Error {
  override name = "SaveTimeout";
}

async function saveSubdomain(body: { subdomain: string; email: string }): Promise<ChosenSubdomain> {
  const signal = AbortSignal.timeout(SAVE_TIMEOUT);
  try {
    return await request("/api/restaurant/subdomain", { method: "PUT", body, signal });
  } catch (failure) {
    throw signal.aborted ? new SaveTimeout("Request timed out") : failure;
  }
}

export function useSaveSubdomain() {
  return useMutation({ mutationFn: saveSubdomain });
}
