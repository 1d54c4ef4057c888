import { useEffect, useRef } from "react";

interface OpenDialog {
  close: () => void;
  isLocked: () => boolean;
}

/** The open dialogs, the one on top last. */
const open: OpenDialog[] = [];
let due: ReturnType<typeof setTimeout> | undefined;
/** A link was followed, or a form sent: going back in history would cancel that. */
let isLeaving = false;

/** How many dialogs were open at the browser's entry. */
const depth = () => Number(history.state?.dialogs ?? 0);

/**
 * Once the dialogs have settled, the history entries follow them: a dialog that replaces another
 * one keeps its entry, and one that stays open although Back was pressed gets its entry again.
 */
function settle(): void {
  clearTimeout(due);
  due = setTimeout(() => {
    const missing = open.length - depth();
    if (missing < 0 && !isLeaving) history.go(missing);
    for (let count = 0; count < missing; count += 1) {
      history.pushState({ ...history.state, dialogs: depth() + 1 }, "");
    }
  });
}

function leave(): void {
  isLeaving = true;
}

function follow(): void {
  isLeaving = false; // the page is still there
  for (const dialog of open.slice(depth()).reverse()) {
    if (!dialog.isLocked()) dialog.close();
  }
  settle();
}

/** While `active`, the browser's Back closes the dialog instead of leaving the page. */
export function useBackCloses(active: boolean, locked: boolean, onClose: () => void): void {
  const latest = useRef({ locked, onClose });
  latest.current = { locked, onClose };
  useEffect(() => {
    if (!active) return;
    const dialog: OpenDialog = {
      close: () => latest.current.onClose(),
      isLocked: () => latest.current.locked,
    };
    window.addEventListener("popstate", follow);
    window.addEventListener("beforeunload", leave);
    isLeaving = false;
    open.push(dialog);
    settle();
    return () => {
      open.splice(open.indexOf(dialog), 1);
      settle();
    };
  }, [active]);
}
