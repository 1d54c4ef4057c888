import { expect, test } from "vitest";
import { seatsStory } from "./seats-story";

test.each([
  [0, false, "open", "4 more and it's on", "No one has ordered yet."],
  [1, false, "open", "3 more and it's on", "1 guest has ordered. The card is on hold"],
  [4, false, "on", "It's on", "At the deadline every card is charged."],
  [4, true, "succeeded", "It's on", "All 4 cards are charged"],
  [3, true, "failed", "Not this time. No one was charged", "All holds are released."],
  [0, true, "failed", "Not this time. No one was charged", "You bought no ingredients"],
])("%d of 4 seats, decided: %s", (filled, decided, state, sentence, note) => {
  const story = seatsStory(filled, 4, decided);
  expect(story).toMatchObject({ state, sentence });
  expect(story.note).toContain(note);
});
