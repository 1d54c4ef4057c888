import { request } from "@/api/client";
import type { Confirmed } from "@/api/types";
import { rememberUser } from "@/lib/stored-session";

/** A link works once, so each is sent only once, however often this is called. */
const underWay = new Map<string, Promise<Confirmed>>();

/** Confirms the address; the account is made and signed in by the answer's cookie. */
export function verifyEmail(email: string, token: string): Promise<Confirmed> {
  const known = underWay.get(token);
  if (known) return known;
  const call = request<Confirmed>("/api/verify-email-confirmation", {
    method: "POST",
    body: { email, token },
  }).then((confirmed) => {
    const { user, restaurant, signedIn } = confirmed;
    if (signedIn) rememberUser({ ...user, restaurantName: restaurant?.name ?? "" });
    return confirmed;
  });
  underWay.set(token, call);
  return call;
}
