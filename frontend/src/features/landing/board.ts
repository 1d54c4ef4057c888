/**
 * The landing page's example: a press fills the seats, another one passes the deadline, which
 * decides.
 */
import { seatsStory } from "@/lib/seats-story";

export function startBoard(): void {
  const board = document.querySelector<HTMLElement>("[data-board]");
  const seats = board?.querySelector<HTMLElement>("[data-seats]");
  const actions = board?.querySelector<HTMLElement>("[data-board-actions]");
  if (!board || !seats || !actions) return;
  const minimum = Number(board.dataset.minimum);
  const initial = seats.querySelectorAll("[data-filled]").length;
  let filled = initial;
  let decided = false;

  const find = (name: string) => board.querySelector<HTMLElement>(`[data-board-${name}]`);

  function draw(): void {
    const words = seatsStory(filled, minimum, decided);
    seats?.querySelectorAll(".seat").forEach((seat, index) => {
      seat.toggleAttribute("data-filled", index < filled);
    });
    seats?.setAttribute("aria-label", `${filled} ordered, ${minimum} needed`);
    const frame = seats?.closest<HTMLElement>(".seats");
    if (frame) frame.dataset.state = words.state;
    const sentence = find("sentence");
    if (sentence) sentence.textContent = words.sentence;
    const note = find("note");
    if (note) note.textContent = words.note;
    find("order")?.toggleAttribute("hidden", decided || filled >= minimum);
    find("decide")?.toggleAttribute("hidden", decided);
    find("again")?.toggleAttribute("hidden", !decided);
  }

  find("order")?.addEventListener("click", () => {
    filled = Math.min(minimum, filled + 1);
    draw();
    if (filled === minimum) find("decide")?.focus();
  });
  find("decide")?.addEventListener("click", () => {
    decided = true;
    draw();
    find("again")?.focus();
  });
  find("again")?.addEventListener("click", () => {
    filled = initial;
    decided = false;
    draw();
    find("order")?.focus();
  });
  actions.hidden = false;
}
