import type { BegunCartItem } from "@/api/types";
import { unbroken } from "../lib/card-terms";

/** How close a special is to being on and, after it, when the card is charged for it. */
export function ItemTerms({ item }: { item: BegunCartItem }) {
  return (
    <span className="block">
      <strong className={item.isShort ? "" : "text-herb"}>
        {item.seatsSentence}
        {!item.seatsSentence.endsWith("!") && "."}
      </strong>{" "}
      <span className="muted">{unbroken(item.chargeTerms)}</span>
    </span>
  );
}
