import { clearUser, rememberDestination } from "./stored-session";

/** The session is over: on to the sign-in page, which leads back here. */
export function goToSignIn(here: string = location.pathname + location.search): void {
  clearUser();
  rememberDestination(here);
  location.assign(`/login?next=${encodeURIComponent(here)}`);
}
