const entities: Record<string, string> = {
  "&": "&amp;",
  '"': "&quot;",
  "<": "&lt;",
  ">": "&gt;",
};

const escapeAttribute = (text: string) => text.replace(/[&"<>]/g, (found) => entities[found] ?? "");

/** The lines an owner pastes into another site; `height` in CSS pixels. */
export function embedCode(url: string, restaurant: string, height = 720): string {
  return [
    "<iframe",
    `  src="${escapeAttribute(url)}"`,
    `  title="${escapeAttribute(`Specials at ${restaurant}`)}"`,
    `  width="100%" height="${height}" loading="lazy"`,
    '  style="border: 0; border-radius: 12px"',
    "></iframe>",
  ].join("\n");
}
