/** Twitter's limit, counted as Twitter does: a link is 23 characters, an emoji two. */
export const SHORT_LENGTH = 280;
const LINK_LENGTH = 23;
const LINK = /https?:\/\/\S+/g;
const LIGHT = [
  [0, 4351],
  [8192, 8205],
  [8208, 8223],
  [8242, 8247],
] as const;

const weight = (character: string) => {
  const code = character.codePointAt(0) ?? 0;
  return LIGHT.some(([first, last]) => code >= first && code <= last) ? 1 : 2;
};

/** The server's rule (marketing/announcement_text.py), while someone types. */
export function shortLength(text: string): number {
  const links = text.match(LINK)?.length ?? 0;
  const rest = [...text.replace(LINK, "")];
  return rest.reduce((sum, character) => sum + weight(character), links * LINK_LENGTH);
}
