import { sentenceWithYours } from "../../lib/with-yours";

/**
 * Shows what an order of so many portions would do for a special that is short: its places are marked
 * [data-yours], every [data-with-yours] says whether it would be on, or that it is (.is-on), and
 * [data-count-with-yours] is how many would be ordered. A number that can't be ordered does nothing.
 */
export function showWithYours(offer: ParentNode, chosen: number): void {
  const field = offer.querySelector<HTMLInputElement>("input[name=quantity]");
  const portions = field?.validity.rangeOverflow ? 0 : chosen;
  const seats = offer.querySelector<HTMLElement>(".seats");
  const { state, filled, minimum } = seats?.dataset ?? {};
  const missing = state === "open" ? Number(minimum) - Number(filled) : 0;
  const yours = missing > 0 ? portions : 0;
  offer.querySelectorAll(".seat:not([data-filled])").forEach((place, index) => {
    place.toggleAttribute("data-yours", index < yours);
  });
  const isOn = state === "on";
  const sentence = isOn
    ? seats?.querySelector(".seats-sentence")?.textContent
    : sentenceWithYours(portions, missing);
  const words = (portions && sentence) || "";
  for (const count of offer.querySelectorAll("[data-count-with-yours]")) {
    count.textContent = (Number(filled) + portions).toLocaleString("en-US");
  }
  for (const line of offer.querySelectorAll<HTMLElement>("[data-with-yours]")) {
    line.hidden = !words;
    line.classList.toggle("is-on", isOn);
    if (line.textContent !== words) line.textContent = words;
  }
}
