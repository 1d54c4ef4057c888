const entities: Record<string, string> = {
  "&": "&amp;",
  '"': "&quot;",
  "<": "&lt;",
  ">": "&gt;",
};

const escapeAttribute = (text: string) => text.replace(/[&"<>]/g, (found) => entities[found] ?? "");

/** How the frame looks; empty values follow the guest's device. */
export interface EmbedLook {
  theme: "" | "light" | "dark";
  language: "" | "en" | "es";
}

/**
 * The code that an owner pastes into another site. Its script makes a frame as high as its content.
 */
export function embedCode(embedUrl: string, restaurant: string, look: EmbedLook): string {
  const attributes: [string, string][] = [
    ["src", `${embedUrl}.js`],
    ["data-title", `Specials at ${restaurant}`],
    ["data-theme", look.theme],
    ["data-lang", look.language],
  ];
  const shown = attributes
    .filter(([, value]) => value)
    .map(([name, value]) => `${name}="${escapeAttribute(value)}"`);
  return `<script async ${shown.join(" ")}></script>`;
}
