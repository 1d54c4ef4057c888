/**
 * Texts of the scripts in the page's language. English texts are written where they are used; for
 * another language, the page includes a catalog (`{% catalog %}`), and texts missing there stay
 * English. `make messages` finds the texts, so they have to be written out in the call.
 */

type Catalog = Record<string, string | string[]>;

let known: Catalog | undefined;

function catalog(): Catalog {
  if (known === undefined) {
    const element = document.getElementById("catalog");
    known = element ? (JSON.parse(element.textContent ?? "{}") as Catalog) : {};
  }
  return known;
}

/** The text in the page's language. */
export function gettext(text: string): string {
  const found = catalog()[text];
  return (Array.isArray(found) ? found[0] : found) || text;
}

/** The form that fits the count; all our languages distinguish only one from the rest. */
export function ngettext(one: string, many: string, count: number): string {
  const forms = catalog()[one];
  const place = count === 1 ? 0 : 1;
  return (Array.isArray(forms) && forms[place]) || (count === 1 ? one : many);
}

/** Fills in a text: `%s` in turn from a list, or `%(name)s` by name where `named`. */
export function interpolate(
  text: string,
  values: readonly unknown[] | Record<string, unknown>,
  named = false,
): string {
  if (named) {
    const byName = values as Record<string, unknown>;
    return text.replace(/%\((\w+)\)s/g, (_, name: string) => String(byName[name]));
  }
  const inTurn = [...(values as readonly unknown[])];
  return text.replace(/%s/g, () => String(inTurn.shift()));
}

/** The page's language, `en-US` or `es`, which dates and amounts use. */
export function pageLanguage(): string {
  return document.documentElement.lang || "en-US";
}
