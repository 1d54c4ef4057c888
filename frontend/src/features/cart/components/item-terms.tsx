import type { BegunCartItem, CartItemResult } from "@/api/types";

/** How close a special is to being on and, below it, when the card is charged for it. */
export function ItemTerms({ item }: { item: BegunCartItem | CartItemResult }) {
  return (
    <span className="small block">
      <strong className="block">{item.seatsSentence}</strong>
      <span className="muted block">{item.chargeTerms}</span>
    </span>
  );
}
