import { request } from "@/api/client";

/** How long a request for a set-up link may take. */
export const ONBOARDING_TIMEOUT = 30_000;

/** The request took too long and was given up; the link it made, if any, leads nowhere yet. */
export class TimedOut extends Error {
  override name = "TimedOut";
}

async function within<Result>(
  milliseconds: number,
  call: (signal: AbortSignal) => Promise<Result>,
) {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), milliseconds);
  try {
    return await call(stop.signal);
  } catch (failure) {
    throw stop.signal.aborted ? new TimedOut() : failure;
  } finally {
    clearTimeout(timer);
  }
}

interface Link {
  url: string;
}

/** Our pages that the processor may lead back to. */
export type ReturnPath =
  | "/restaurant"
  | "/restaurant/settings"
  | "/restaurant/stripe-management"
  | "/free-tier-dashboard"
  | "/free-tier-quick-start";

/** A link to the processor's set-up pages; it works once. */
export const onboardingLink = (returnTo: ReturnPath) =>
  within(ONBOARDING_TIMEOUT, (signal) =>
    request<Link>("/api/connect-onboarding", {
      method: "POST",
      body: { embedded: false, returnTo },
      signal,
    }),
  );

/** The same for a new tab. */
export const onboardingLinkForTab = () =>
  within(ONBOARDING_TIMEOUT, (signal) =>
    request<Link>("/api/stripe/onboarding", { method: "POST", signal }),
  );

/** A link to the restaurant's own dashboard at the processor; it works once. */
export const dashboardLink = () => request<Link>("/api/connect-dashboard", { method: "POST" });
