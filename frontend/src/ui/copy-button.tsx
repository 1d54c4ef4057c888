import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { Button, type ButtonLook } from "./button";
import { showError, showSuccess } from "./toaster";

/** How long the button says that it has copied. */
const FEEDBACK = 2000;

/** Copies `text`, and says in a toast whether that worked; true if it did. */
export async function copyText(text: string, done = "Link copied!"): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    showSuccess(done);
    return true;
  } catch {
    const isUrl = /^https?:\/\/\S+$/.test(text);
    showError(
      "Copy failed",
      isUrl
        ? "Unable to copy to clipboard. Please copy the URL manually."
        : "Unable to copy to clipboard. Select the text and copy it.",
    );
    return false;
  }
}

interface CopyButtonProps extends ButtonLook {
  text: string;
  label: string;
  /** Names what is copied for screen readers when several buttons read the same. */
  accessibleLabel?: string;
  /** The toast's text. */
  done?: string;
  className?: string;
  disabled?: boolean;
}

/** Copies `text`; says so on the button and in a toast. */
export function CopyButton({
  text,
  label,
  accessibleLabel,
  done = "Link copied!",
  className = "self-start",
  ...look
}: CopyButtonProps) {
  const [copied, setCopied] = useState(false);

  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), FEEDBACK);
    return () => clearTimeout(timer);
  }, [copied]);

  async function copy() {
    if (await copyText(text, done)) setCopied(true);
  }

  const Icon = copied ? Check : Copy;
  return (
    <Button
      {...look}
      className={className}
      onClick={copy}
      aria-label={copied ? undefined : accessibleLabel}
    >
      <Icon size="1rem" strokeWidth={1.5} aria-hidden="true" />
      {copied ? "Copied" : label}
    </Button>
  );
}
