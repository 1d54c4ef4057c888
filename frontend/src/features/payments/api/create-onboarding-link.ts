import { request } from "@/api/client";
import { ONBOARDING_TIMEOUT, within } from "../lib/timeout";
import type { Link, ReturnPath } from "../types";

/** A link to the payment provider's setup pages; it works once. */
export const onboardingLink = (returnTo: ReturnPath) =>
  within(ONBOARDING_TIMEOUT, (signal) =>
    request<Link>("/api/connect-onboarding", {
      method: "POST",
      body: { embedded: false, returnTo },
      signal,
    }),
  );
