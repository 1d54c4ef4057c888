/**
 * Why a call was refused after the session ended elsewhere. Signing in opens beside this page, so
 * what was typed stays.
 */
export function SignedOut() {
  const here = location.pathname + location.search;
  return (
    // One element, because the error's container lays out its children side by side.
    <span>
      You've been signed out. What you entered is still here.{" "}
      <a href={`/login?next=${encodeURIComponent(here)}`} target="_blank" rel="noreferrer">
        Sign in again in a new tab
      </a>
      , then try again.
    </span>
  );
}
