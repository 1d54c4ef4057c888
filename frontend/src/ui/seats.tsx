import { Fragment } from "react";
import { describeSeats, drawSeats, type SeatsFigures, type SeatsState } from "@/lib/seats";
import { classNames } from "./class-names";

interface SeatsProps extends SeatsFigures {
  state: SeatsState;
  sentence: string;
  small?: boolean;
}

/** The minimum, drawn as seats at a table; the same markup as on public pages (seats.css). */
export function Seats({ state, sentence, small = false, ...figures }: SeatsProps) {
  const drawing = drawSeats(figures);
  const words = describeSeats(figures);
  return (
    <div className={classNames("seats", small && "seats-small")} data-state={state}>
      {drawing.kind === "dots" ? (
        <span className="seats-row" role="img" aria-label={words}>
          {drawing.dots.map((dot) => (
            <Fragment key={dot.place}>
              <span
                className="seat"
                data-filled={dot.filled ? "" : undefined}
                data-extra={dot.extra ? "" : undefined}
              />
              {dot.place === drawing.tickAfter && <span className="seats-tick" />}
            </Fragment>
          ))}
          {drawing.end && <span className="seats-end" />}
        </span>
      ) : (
        <svg
          className="seats-bar"
          viewBox="0 0 100 10"
          preserveAspectRatio="none"
          role="img"
          aria-label={words}
        >
          <rect className="seats-fill" width={drawing.fill} height={10} />
          <rect className="seats-mark" x={drawing.tick} width={0.8} height={10} />
        </svg>
      )}
      <p className="seats-sentence">{sentence}</p>
    </div>
  );
}
