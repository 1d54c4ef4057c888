const plain = (text: string) => text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "");

/** Whether a note contains a word that begins with one of `words`, which have no accents. */
export function mentions(note: string, words: string[]): boolean {
  const noted = ` ${plain(note).replace(/[^a-z]+/g, " ")}`;
  return words.some((each) => noted.includes(` ${each}`));
}
