import { describeSeats, drawSeats, type SeatsFigures, type SeatsState } from "@/lib/seats";
import { classNames } from "./class-names";

interface SeatsProps extends SeatsFigures {
  state: SeatsState;
  sentence: string;
  small?: boolean;
}

/** The minimum, drawn as seats at a table; the same markup as on public pages (seats.css). */
export function Seats({ state, sentence, small = false, ...figures }: SeatsProps) {
  const { dots, fill } = drawSeats(figures);
  return (
    <div className={classNames("seats", small && "seats-small")} data-state={state}>
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
      <p className="seats-sentence">{sentence}</p>
    </div>
  );
}
