import { request } from "@/api/client";
import type { Accepted } from "@/api/types";

/** Joins with the account that is signed in, or with a new one made from `body`. */
export function acceptInvitation(
  token: string,
  body: { name?: string; password?: string },
): Promise<Accepted> {
  return request(`/api/invitations/${encodeURIComponent(token)}`, { method: "POST", body });
}
