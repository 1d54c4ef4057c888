interface BoardWords {
  state: "open" | "on" | "succeeded" | "failed";
  sentence: string;
  note: string;
}

/** What the example says with so many seats taken, before and after its deadline. */
export function describeSeats(filled: number, minimum: number, decided: boolean): BoardWords {
  const enough = filled >= minimum;
  if (decided && enough) {
    return {
      state: "succeeded",
      sentence: "It's on",
      note: `All ${filled} cards are charged, and you cook ${filled} portions. Not one too many.`,
    };
  }
  if (decided) {
    return {
      state: "failed",
      sentence: "Not this time. Nobody was charged",
      note: `All ${filled} holds are released. You bought nothing, and it cost you nothing.`,
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
    note: `${filled} guests have booked. Their cards are held, and nothing is charged.`,
  };
}
