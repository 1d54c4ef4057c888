import { useEffect, useRef } from "react";

/**
 * An open dialog has an entry in the browser's history, so that a phone's Back goes back in it and not
 * to the page before. `onBack` says whether the dialog stays open. While `popstate` is dispatched, the
 * entry gone back to is the current one: https://developer.mozilla.org/en-US/docs/Web/API/Window/popstate_event
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
