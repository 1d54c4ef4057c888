import type { CSSProperties, ReactNode } from "react";
import { Toaster as Sonner, toast } from "sonner";
import { noteToast } from "./toast-place";

/** At most one notification, five seconds. */
const TOAST_DURATION = 5000;

interface Message {
  title: string;
  description?: ReactNode;
}

/** The newest replaces whatever is shown; sonner's region reads it to screen readers. */
function show(kind: "success" | "info" | "error", { title, description }: Message): void {
  noteToast(() => toast.dismiss());
  toast.dismiss();
  toast[kind](title, { description, duration: TOAST_DURATION });
}

export const showSuccess = (title: string, description?: ReactNode) =>
  show("success", { title, description });

/** For something that succeeded but leaves something to do. */
export const showInfo = (title: string, description?: ReactNode) =>
  show("info", { title, description });

/** For failures; show the same text inline, too, where there is a place for it. */
export const showError = (title: string, description?: ReactNode) =>
  show("error", { title, description });

/**
 * On a phone, below the header, so that the back link stays within reach. In a dialog, below its
 * title.
 */
const BELOW_HEADER = { top: "var(--toast-top, 4rem)" };
const AT_THE_TOP = { top: "var(--toast-top, 1.5rem)" };

/** The site's own colors, through the variables that sonner reads. */
const look = {
  fontFamily: "var(--font-text)",
  "--border-radius": "var(--radius-card)",
  "--normal-bg": "var(--surface)",
  "--normal-text": "var(--ink)",
  "--normal-border": "var(--control-line)",
  "--success-bg": "var(--herb-soft)",
  "--success-text": "var(--herb)",
  "--success-border": "var(--herb)",
  "--info-bg": "var(--honey-soft)",
  "--info-text": "var(--honey)",
  "--info-border": "var(--honey)",
  "--error-bg": "var(--berry-soft)",
  "--error-text": "var(--berry)",
  "--error-border": "var(--berry)",
} as CSSProperties;

export function Toaster() {
  return (
    <Sonner
      visibleToasts={1}
      duration={TOAST_DURATION}
      theme="system"
      position="top-center"
      offset={AT_THE_TOP}
      mobileOffset={BELOW_HEADER}
      richColors
      closeButton
      style={look}
    />
  );
}
