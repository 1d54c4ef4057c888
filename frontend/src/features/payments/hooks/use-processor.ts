import { type ReactNode, useEffect, useState } from "react";
import type { ConnectStatus } from "@/api/types";
import { showError } from "@/ui/toaster";
import { dashboardLink } from "../api/create-dashboard-link";
import { onboardingLink } from "../api/create-onboarding-link";
import { onboardingLinkForTab } from "../api/create-onboarding-link-for-tab";
import {
  CONNECTION_FAILED,
  dashboardFailure,
  type Failure,
  onboardingFailure,
} from "../lib/failures";
import type { ReturnPath } from "../types";

/** After this, the link opens in a new tab. */
export const TAB_DELAY = 1000;

export type Way = "onboarding" | "tab" | "dashboard";

/** A new tab, which must not reach back into this one; this tab where none may be opened. */
function openTab(url: string): void {
  const tab = window.open(url, "_blank");
  if (tab) tab.opener = null;
  else location.assign(url);
}

/**
 * The ways to the payment provider's pages. `under way` names the one being opened, `problem` says why the
 * last one did not open; the same is said in a toast.
 */
export function useProcessor(returnTo: ReturnPath) {
  const [underWay, setUnderWay] = useState<Way | null>(null);
  const [problem, setProblem] = useState<ReactNode>("");

  useEffect(() => {
    // Back from the payment provider by the browser's back button, the page may be the very same one.
    const shown = (event: PageTransitionEvent) => event.persisted && setUnderWay(null);
    window.addEventListener("pageshow", shown);
    return () => window.removeEventListener("pageshow", shown);
  }, []);

  function fail({ title, text }: Failure) {
    setProblem(text);
    setUnderWay(null);
    showError(title, text);
  }

  async function go(way: Way, lead: () => Promise<void>, explain: (failure: unknown) => Failure) {
    if (underWay) return;
    setProblem("");
    setUnderWay(way);
    try {
      await lead();
    } catch (failure) {
      fail(explain(failure));
    }
  }

  return {
    underWay,
    problem,
    /** On with the setup, in this window. Stays busy: the page is about to be left. */
    onboard: () =>
      go(
        "onboarding",
        async () => location.assign((await onboardingLink(returnTo)).url),
        onboardingFailure,
      ),
    /** The same in a new tab. */
    onboardInTab: () =>
      go(
        "tab",
        async () => {
          const { url } = await onboardingLinkForTab();
          await new Promise((resolve) => setTimeout(resolve, TAB_DELAY));
          openTab(url);
          setUnderWay(null);
        },
        onboardingFailure,
      ),
    /** The payment provider's dashboard, in a new tab; without an account there is none. */
    openDashboard: (status: ConnectStatus) => {
      if (!status.accountId) {
        fail({ title: CONNECTION_FAILED, text: "Connect your Stripe account first." });
        return Promise.resolve();
      }
      return go(
        "dashboard",
        async () => {
          openTab((await dashboardLink()).url);
          setUnderWay(null);
        },
        dashboardFailure,
      );
    },
  };
}

export type Processor = ReturnType<typeof useProcessor>;
