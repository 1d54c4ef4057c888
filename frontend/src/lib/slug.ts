/** Web addresses: the label before the platform's domain, and the slug of a page. */

/** Shortest and longest label of the setup screens (DECISIONS X49). */
export const SHORTEST = 3;
export const LONGEST = 50;

/** A label from a restaurant's name: "Café Müller & Söhne" → "cafe-muller-sohne". */
export function suggestLabel(name: string, longest = LONGEST): string {
  return (
    name
      .normalize("NFKD")
      .replace(/\p{M}/gu, "")
      .toLowerCase()
      .replaceAll("ß", "ss")
      .replaceAll("æ", "ae")
      .replaceAll("ø", "o")
      // An apostrophe belongs to its word; everything else separates words.
      .replace(/['’`]/g, "")
      .replace(/[^a-z0-9]+/g, "-")
      .slice(0, longest)
      .replace(/^-+|-+$/g, "")
  );
}

/** A possible label, from a name as it is typed; empty for one without letters or digits. */
export function proposeLabel(name: string, reserved: readonly string[]): string {
  const label = suggestLabel(name);
  if (!label) return "";
  return labelErrors(label, { reserved }).length > 0 ? `${label}-restaurant` : label;
}

/** Everything that is wrong with a label; empty for a good one. */
export function labelErrors(
  label: string,
  { reserved, longest = LONGEST }: { reserved: readonly string[]; longest?: number },
): string[] {
  const errors: string[] = [];
  if (label.length < SHORTEST || label.length > longest) {
    errors.push(`Use ${SHORTEST} to ${longest} characters`);
  }
  if (/[^a-z0-9-]/i.test(label)) errors.push("use only letters, numbers, and hyphens");
  if (/^-|-$/.test(label)) errors.push("start and end with a letter or a number");
  if (reserved.includes(label.toLowerCase())) errors.push("this word is reserved, choose another");
  return errors;
}

/** The errors as the screens show them, joined by commas. */
export function labelProblem(errors: string[]): string {
  const text = errors.join(", ");
  return text && text[0]?.toUpperCase() + text.slice(1);
}
