import type { CSSProperties } from "react";
import { Toaster as Sonner, toast } from "sonner";

/** At most one notification, five seconds. */
const TOAST_DURATION = 5000;

interface Message {
  title: string;
  description?: string;
}

/** The newest replaces whatever is shown; sonner's region reads it to screen readers. */
function show(kind: "success" | "error", { title, description }: Message): void {
  toast.dismiss();
  toast[kind](title, { description, duration: TOAST_DURATION });
}

export const showSuccess = (title: string, description?: string) =>
  show("success", { title, description });

/** For failures; the same text belongs inline too, where there is a place for it. */
export const showError = (title: string, description?: string) =>
  show("error", { title, description });

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
      richColors
      closeButton
      style={look}
    />
  );
}
