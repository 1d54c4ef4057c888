import { gettext } from "../../lib/i18n";
import { sayAloud } from "./say-aloud";

const FEEDBACK = 2000;

async function copy(button: HTMLElement, text: string): Promise<void> {
  const label = button.querySelector<HTMLElement>("[data-label]") ?? button;
  const before = label.dataset.before ?? label.textContent ?? "";
  label.dataset.before = before;
  let outcome = gettext("Copied!"); // in one line of a narrow button
  try {
    await navigator.clipboard.writeText(text);
    sayAloud(gettext("Link copied!"));
  } catch {
    outcome = gettext("Copy failed");
    sayAloud(gettext("Copy failed: Unable to copy to clipboard. Please copy the URL manually."));
  }
  label.textContent = outcome;
  setTimeout(() => {
    label.textContent = before;
  }, FEEDBACK);
}

/** Where the device can't share, a label says that its button copies: [data-copies]. */
export function nameCopyButtons(): void {
  if ("share" in navigator) return;
  for (const label of document.querySelectorAll<HTMLElement>("[data-copies]")) {
    label.textContent = label.dataset.copies ?? "";
    label.previousElementSibling?.classList.replace("icon-share", "icon-copy");
  }
}

/** [data-copy] copies its value; [data-share] uses the device's own sharing, else copies. */
export function startCopyButtons(): void {
  nameCopyButtons();
  document.addEventListener("click", async (event) => {
    if (!(event.target instanceof Element)) return;
    const button = event.target.closest<HTMLElement>("[data-copy], [data-share]");
    if (!button) return;
    const { share, shareTitle, shareText, copy: text } = button.dataset;
    if (share !== undefined && "share" in navigator) {
      try {
        await navigator.share({
          title: shareTitle ?? document.title,
          text: shareText,
          url: share,
        });
        return;
      } catch (error) {
        // Closing the share sheet is a choice, not a failure.
        if (error instanceof DOMException && error.name === "AbortError") return;
      }
    }
    await copy(button, text ?? share ?? location.href);
  });
}
