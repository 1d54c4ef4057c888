import { request } from "@/api/client";
import { ONBOARDING_TIMEOUT, within } from "../lib/timeout";
import type { Link } from "../types";

/** A link to the setup pages for a new tab. */
export const onboardingLinkForTab = () =>
  within(ONBOARDING_TIMEOUT, (signal) =>
    request<Link>("/api/stripe/onboarding", { method: "POST", signal }),
  );
