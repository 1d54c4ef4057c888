import { describeSeats, drawSeats, type SeatsFigures } from "../../lib/seats";

const SVG = "http://www.w3.org/2000/svg";

function place(className: string, ...flags: string[]): HTMLSpanElement {
  const element = document.createElement("span");
  element.className = className;
  for (const flag of flags) element.setAttribute(flag, "");
  return element;
}

function bar(className: string, attributes: Record<string, number>): SVGRectElement {
  const rect = document.createElementNS(SVG, "rect");
  rect.setAttribute("class", className);
  for (const [name, value] of Object.entries(attributes)) rect.setAttribute(name, String(value));
  return rect;
}

/** The row or the bar for these figures, in the markup that seats.css describes. */
export function seatsElement(figures: SeatsFigures): Element {
  const drawing = drawSeats(figures);
  let element: Element;
  if (drawing.kind === "dots") {
    element = place("seats-row");
    for (const { place: number, filled, extra, beingOrdered } of drawing.dots) {
      const flags = [
        filled && "data-filled",
        beingOrdered && "data-being-ordered",
        extra && "data-extra",
      ].filter((flag) => flag !== false);
      element.append(place("seat", ...flags));
      if (number === drawing.tickAfter) element.append(place("seats-tick"));
    }
    if (drawing.end) element.append(place("seats-end"));
  } else {
    element = document.createElementNS(SVG, "svg");
    element.setAttribute("class", "seats-bar");
    element.setAttribute("viewBox", "0 0 100 10");
    element.setAttribute("preserveAspectRatio", "none");
    element.append(
      bar("seats-fill", { width: drawing.fill, height: 10 }),
      bar("seats-mark", { x: drawing.tick, width: 0.8, height: 10 }),
    );
  }
  element.setAttribute("role", "img");
  element.setAttribute("aria-label", describeSeats(figures));
  return element;
}

/** A longer bar grows instead of being replaced; false when there is none to grow. */
function growBar(drawn: Element, next: Element): boolean {
  const [before, after] = [drawn, next].map((each) => each.querySelector(".seats-fill"));
  if (!before || !after) return false;
  for (const part of [".seats-fill", ".seats-mark"]) {
    for (const { name, value } of next.querySelector(part)?.attributes ?? []) {
      drawn.querySelector(part)?.setAttribute(name, value);
    }
  }
  drawn.setAttribute("aria-label", next.getAttribute("aria-label") ?? "");
  return true;
}

/** Redraws one .seats when its figures have changed; a seat just taken is marked [data-new]. */
export function redrawSeats(seats: HTMLElement, state: string, figures: SeatsFigures): void {
  const { filled, minimum, maximum, beingOrdered = 0 } = figures;
  const { dataset } = seats;
  const known =
    dataset.filled === String(filled) &&
    dataset.minimum === String(minimum) &&
    (dataset.beingOrdered ?? "0") === String(beingOrdered) &&
    dataset.maximum === String(maximum ?? "");
  dataset.state = state;
  if (known) return;
  const before = Number(dataset.filled);
  dataset.filled = String(filled);
  dataset.minimum = String(minimum);
  dataset.beingOrdered = String(beingOrdered);
  dataset.maximum = String(maximum ?? "");
  const drawn = seats.querySelector(".seats-row, .seats-bar");
  const next = seatsElement(figures);
  if (!drawn || growBar(drawn, next)) return;
  next.querySelectorAll(".seat").forEach((seat, index) => {
    seat.toggleAttribute("data-new", index >= before && index < filled);
  });
  drawn.replaceWith(next);
}
