interface SeatsSentenceProps {
  isShort: boolean;
  text: string;
}

/** How close a special is to being on, before a sentence that says when it is charged. */
export function SeatsSentence({ isShort, text }: SeatsSentenceProps) {
  return (
    <strong className={isShort ? undefined : "text-herb"}>
      {text}
      {!text.endsWith("!") && "."}
    </strong>
  );
}
