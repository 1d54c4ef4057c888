import { useEffect, useRef } from "react";

/**
 * An open dialog has an entry in the browser's history, so that a phone's Back goes back in it and not
 * to the page before. `onBack` says whether the dialog stays open.
 */
export function useBack(onBack: () => boolean): void {
  const latest = useRef(onBack);
  latest.current = onBack;
  useEffect(() => {
    const enter = () => history.pushState({ ...history.state, dialog: true }, "");
    const goBack = () => {
      if (latest.current()) enter();
    };
    enter();
    addEventListener("popstate", goBack);
    return () => {
      removeEventListener("popstate", goBack);
      // Closed by its own button, it leaves no entry.
      if (history.state?.dialog) history.back();
    };
  }, []);
}
