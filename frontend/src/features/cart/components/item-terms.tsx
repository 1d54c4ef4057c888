import type { BegunCartItem } from "@/api/types";
import { unbroken } from "../lib/card-terms";
import { SeatsSentence } from "./seats-sentence";

/** How close a special is to being on and, after it, when the card is charged for it. */
export function ItemTerms({ item }: { item: BegunCartItem }) {
  return (
    <span className="block">
      <SeatsSentence isShort={item.isShort} text={item.seatsSentence} />{" "}
      <span className="muted">{unbroken(item.chargeTerms)}</span>
    </span>
  );
}
