import { useEffect, useState } from "react";
import { SHORTEST } from "@/lib/slug";
import { checkSubdomain, NOT_AVAILABLE } from "../api/check-subdomain";

/** The pause in typing after which the server is asked. */
export const DEBOUNCE = 500;

/** Unknown → checking → available | unavailable. */
export type Availability =
  | { state: "unknown" | "checking" | "available" }
  | { state: "unavailable"; message: string; suggestion?: string };

const UNKNOWN: Availability = { state: "unknown" };

/**
 * Whether `label` is free, asked while it is typed. `valid` says whether it is worth asking; the
 * restaurant's `current` label is its own and never asked about.
 */
export function useAvailability(label: string, valid: boolean, current: string): Availability {
  const [answer, setAnswer] = useState<{ label: string; is: Availability }>();
  const ask = valid && label.length >= SHORTEST && label !== current;

  useEffect(() => {
    if (!ask) return;
    const stop = new AbortController();
    const timer = setTimeout(async () => {
      setAnswer({ label, is: { state: "checking" } });
      try {
        const { available, message, suggestion } = await checkSubdomain(label, stop.signal);
        if (stop.signal.aborted) return;
        const is: Availability = available
          ? { state: "available" }
          : { state: "unavailable", message: message || NOT_AVAILABLE, suggestion };
        setAnswer({ label, is });
      } catch {
        // Another label is being typed, or the form is gone: no one waits for this answer.
      }
    }, DEBOUNCE);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [ask, label]);

  // An answer about another label says nothing about this one.
  return ask && answer?.label === label ? answer.is : UNKNOWN;
}
