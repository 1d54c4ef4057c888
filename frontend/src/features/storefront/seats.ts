import { describeSeats, drawSeats, type SeatsFigures } from "../../lib/seats";

const SVG = "http://www.w3.org/2000/svg";

function place(className: string): HTMLSpanElement {
  const element = document.createElement("span");
  element.className = className;
  return element;
}

function bar(fill: number): SVGSVGElement {
  const element = document.createElementNS(SVG, "svg");
  element.setAttribute("class", "seats-bar");
  element.setAttribute("viewBox", "0 0 100 10");
  element.setAttribute("preserveAspectRatio", "none");
  const rect = document.createElementNS(SVG, "rect");
  rect.setAttribute("class", "seats-fill");
  rect.setAttribute("width", String(fill));
  rect.setAttribute("height", "10");
  element.append(rect);
  return element;
}

/** The row for these figures, in the markup that seats.css describes. */
export function seatsElement(figures: SeatsFigures): HTMLSpanElement {
  const { dots, fill } = drawSeats(figures);
  const row = place("seats-row");
  row.setAttribute("role", "img");
  row.setAttribute("aria-label", describeSeats(figures));
  if (dots === null) row.append(bar(fill));
  for (const { filled, beingOrdered, own } of dots ?? []) {
    const seat = place("seat");
    seat.toggleAttribute("data-own", own);
    seat.toggleAttribute("data-filled", filled);
    seat.toggleAttribute("data-being-ordered", beingOrdered);
    row.append(seat);
  }
  return row;
}

/** A longer bar grows instead of being replaced; false when there is none to grow. */
function growBar(drawn: Element, next: Element): boolean {
  const [before, after] = [drawn, next].map((each) => each.querySelector(".seats-fill"));
  if (!before || !after) return false;
  before.setAttribute("width", after.getAttribute("width") ?? "0");
  drawn.setAttribute("aria-label", next.getAttribute("aria-label") ?? "");
  return true;
}

/** Redraws one .seats when its figures have changed, and returns whether they or its state have; a seat
 * just taken is marked [data-new]. */
export function redrawSeats(seats: HTMLElement, state: string, figures: SeatsFigures): boolean {
  const { filled, minimum, maximum, beingOrdered = 0 } = figures;
  const { dataset } = seats;
  const known =
    dataset.filled === String(filled) &&
    dataset.minimum === String(minimum) &&
    (dataset.beingOrdered ?? "0") === String(beingOrdered) &&
    dataset.maximum === String(maximum ?? "");
  const wasState = dataset.state;
  dataset.state = state;
  if (known) return wasState !== state;
  const before = Number(dataset.filled);
  dataset.filled = String(filled);
  dataset.minimum = String(minimum);
  dataset.beingOrdered = String(beingOrdered);
  dataset.maximum = String(maximum ?? "");
  const drawn = seats.querySelector(".seats-row");
  const next = seatsElement({ ...figures, own: Number(dataset.own ?? 0) });
  if (!drawn || growBar(drawn, next)) return true;
  next.querySelectorAll(".seat").forEach((seat, index) => {
    seat.toggleAttribute("data-new", index >= before && index < filled);
  });
  drawn.replaceWith(next);
  return true;
}
