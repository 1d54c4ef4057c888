/** Screen readers read it out, wherever the focus is; nothing changes for the eye. */
export function sayAloud(text: string): void {
  document.querySelector("[data-live]")?.replaceChildren(text);
}
