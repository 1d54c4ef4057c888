import { Fragment } from "react";

/**
 * When and how a special is served, "Sat, Nov 28 · 6:00–9:00 PM · Dine in", as on the special's page:
 * the line breaks between parts, and no line begins or ends with a point.
 */
export function Served({ text }: { text: string }) {
  const [first = "", ...rest] = text.split(" · ");
  return (
    <span className="in-parts">
      <span>{first}</span>
      {rest.map((part) => (
        <Fragment key={part}>
          {" "}
          <span>
            <i>· </i>
            {part}
          </span>
        </Fragment>
      ))}
    </span>
  );
}
