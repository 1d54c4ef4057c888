/** The cards of Quick Start, in the order in which they are done; each can wait. */
export const cards = ["profile", "offers", "payments", "announce", "social", "password"] as const;
export type Card = (typeof cards)[number];
type Done = Record<Card, boolean>;

/** Which card a step of the setup is on. */
const CARD_OF_STEP: Record<string, Card> = {
  name: "profile",
  address: "profile",
  special: "offers",
  payments: "payments",
  share: "announce",
  social: "social",
  sign_in: "password",
};

/** The card of a step that a link asks for; undefined for anything else. */
export function cardOf(step: string): Card | undefined {
  return Object.hasOwn(CARD_OF_STEP, step) ? CARD_OF_STEP[step] : undefined;
}

/** The first card that is left to do; null once all are done. */
export function firstOpen(done: Done): Card | null {
  return cards.find((card) => !done[card]) ?? null;
}

/** The next one after `card` that is left to do. */
export function nextOpen(done: Done, card: Card): Card | null {
  return cards.slice(cards.indexOf(card) + 1).find((each) => !done[each]) ?? null;
}
