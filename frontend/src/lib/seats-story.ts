interface SeatsStory {
  state: "open" | "on" | "succeeded" | "failed";
  sentence: string;
  note: string;
}

const guests = (count: number) => (count === 1 ? "1 guest has" : `${count} guests have`);

/** The sentences of an example with this many seats taken, before and after its deadline. */
export function seatsStory(filled: number, minimum: number, decided: boolean): SeatsStory {
  const enough = filled >= minimum;
  if (decided && enough) {
    return {
      state: "succeeded",
      sentence: "It's on",
      note: `All ${filled} cards are charged, and you cook ${filled} portions. Not one too many.`,
    };
  }
  if (decided) {
    const released =
      filled === 0 ? "" : filled === 1 ? "The hold is released. " : "All holds are released. ";
    return {
      state: "failed",
      sentence: "Not this time. No one was charged",
      note: `${released}You bought no ingredients, and it cost you nothing.`,
    };
  }
  if (enough) {
    return {
      state: "on",
      sentence: "It's on",
      note: "Enough guests. At the deadline every card is charged.",
    };
  }
  return {
    state: "open",
    sentence: `${minimum - filled} more and it's on`,
    note:
      filled === 0
        ? "No one has ordered yet."
        : `${guests(filled)} ordered. ${filled === 1 ? "The card is" : "Their cards are"} on hold, and nothing has been charged.`,
  };
}
