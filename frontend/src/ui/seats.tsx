import {
  describeSeats,
  drawSeats,
  orderedWords,
  ownWords,
  type SeatsFigures,
  type SeatsState,
} from "@/lib/seats";
import { classNames } from "./class-names";

interface SeatsProps extends SeatsFigures {
  state: SeatsState;
  sentence: string;
  small?: boolean;
  /** Beside the drawing, how many are ordered. */
  counted?: boolean;
}

/** The minimum, drawn as seats at a table; the same markup as on public pages (seats.css). */
export function Seats({ state, sentence, small = false, counted = false, ...figures }: SeatsProps) {
  const { dots, fill } = drawSeats(figures);
  const row = (
    <span className="seats-row" role="img" aria-label={describeSeats(figures)}>
      {dots === null ? (
        <svg
          className="seats-bar"
          viewBox="0 0 100 10"
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          <rect className="seats-fill" width={fill} height={10} />
        </svg>
      ) : (
        dots.map((dot) => (
          <span
            key={dot.place}
            className="seat"
            data-own={dot.own ? "" : undefined}
            data-filled={dot.filled ? "" : undefined}
          />
        ))
      )}
    </span>
  );
  return (
    <div className={classNames("seats", small && "seats-small")} data-state={state}>
      {counted ? (
        <div className="seats-line">
          {row}
          <p className="seats-count" aria-hidden="true">
            {orderedWords(figures.filled, figures.minimum)}
            {figures.own ? `, ${ownWords(figures.own)}` : ""}
          </p>
        </div>
      ) : (
        row
      )}
      <p className="seats-sentence">{sentence}</p>
    </div>
  );
}
