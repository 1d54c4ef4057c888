import { mentions } from "../../lib/mentions";

/** Warns of each allergen in the dish that the guest's note in `form` mentions. */
export function watchNote(form: HTMLFormElement): void {
  const note = form.querySelector<HTMLTextAreaElement>("textarea[name=note]");
  const warnings = form.querySelectorAll<HTMLElement>("[data-note-mentions]");
  if (!note || warnings.length === 0) return;
  const look = (): void => {
    for (const warning of warnings) {
      warning.hidden = !mentions(note.value, warning.dataset.noteMentions?.split(",") ?? []);
    }
  };
  note.addEventListener("input", look);
  look();
}
