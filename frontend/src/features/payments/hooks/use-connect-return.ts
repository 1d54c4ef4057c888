import { useEffect, useRef } from "react";
import type { ConnectStatus } from "@/api/types";
import { sentenceFor } from "@/lib/server-errors";
import { showError, showInfo, showSuccess } from "@/ui/toaster";
import { useRefreshStatus } from "../api/refresh-connect-status";

/** How long the toast is read before the dashboard opens. */
const LEAD_ON_AFTER = 1500;

/** What the payment provider's way back carries; `restaurant` says whose account it was. */
const MARKS = ["success", "refresh", "email", "restaurant"] as const;

function takeMarks(): Set<string> {
  const url = new URL(location.href);
  const there = new Set<string>(MARKS.filter((name) => url.searchParams.has(name)));
  if (!there.has("success") && !there.has("refresh") && !there.has("email")) return new Set();
  for (const name of MARKS) url.searchParams.delete(name);
  history.replaceState(null, "", url);
  return there;
}

/**
 * Says "complete" only for a form that was sent; somebody who left it halfway reads what is
 * missing.
 */
function announce(marks: Set<string>, status: ConnectStatus): void {
  const { sentence, state } = status.setup;
  if (!marks.has("refresh") && status.details_submitted) {
    showSuccess("Connect Setup Complete!", state === "complete" ? undefined : sentence);
  } else if (state === "complete") {
    showSuccess("Data refreshed");
  } else {
    showInfo("Data refreshed", sentence);
  }
}

/**
 * Back from the payment provider's pages: reads the account again, says how it stands, and
 * clears the query. `leadTo` is where to go on afterwards.
 */
export function useConnectReturn({ leadTo }: { leadTo?: string } = {}): void {
  const readAfresh = useRefreshStatus();
  const marks = useRef<Set<string> | null>(null);

  useEffect(() => {
    marks.current ??= takeMarks();
    if (marks.current.size === 0) return;
    const came = marks.current;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let gone = false;
    readAfresh()
      .then((status) => {
        if (gone) return;
        marks.current = new Set();
        announce(came, status);
        if (leadTo) timer = setTimeout(() => location.assign(leadTo), LEAD_ON_AFTER);
      })
      .catch((failure) => {
        if (gone) return;
        marks.current = new Set();
        const sentence = sentenceFor(failure, "Failed to connect to Stripe. Please try again.");
        showError("Connection Error", sentence);
      });
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [readAfresh, leadTo]);
}
