import { useCallback, useEffect, useState } from "react";
import { type OrderFilters, readFilters, writeFilters } from "../lib/filters";

/**
 * The filters in the address: a link can be shared, and back goes to those before. What is typed
 * replaces the entry, so that back does not go through every keystroke.
 */
export function useFilters() {
  const [filters, setFilters] = useState(() => readFilters(location.search));

  useEffect(() => {
    const follow = () => setFilters(readFilters(location.search));
    window.addEventListener("popstate", follow);
    return () => window.removeEventListener("popstate", follow);
  }, []);

  const change = useCallback((next: OrderFilters) => {
    setFilters((before) => {
      const address = location.pathname + writeFilters(location.search, next);
      const typed = next.q !== before.q;
      history[typed ? "replaceState" : "pushState"](history.state, "", address);
      return next;
    });
  }, []);

  return [filters, change] as const;
}
