import { useCallback, useEffect, useState } from "react";

/** Which tab is open, by `?tab=`: a link leads to it, and back goes to the one before. */
export function useTab(initialTab: string) {
  const [tab, setTab] = useState(initialTab);

  useEffect(() => {
    const follow = () => {
      // An order that is open above the list has an address of its own.
      if (location.pathname.startsWith("/restaurant/orders/")) return;
      setTab(new URLSearchParams(location.search).get("tab") ?? initialTab);
    };
    window.addEventListener("popstate", follow);
    return () => window.removeEventListener("popstate", follow);
  }, [initialTab]);

  const openTab = useCallback((next: string) => {
    setTab(next);
    const url = new URL(location.href);
    // A press also moves the focus: both together are one change of tab.
    if (url.searchParams.get("tab") === next) return;
    url.searchParams.set("tab", next);
    history.pushState(null, "", url);
  }, []);

  return [tab, openTab] as const;
}
