import type { ReactNode } from "react";
import type { BegunCartItem, CartItemResult } from "@/api/types";
import { unbroken } from "../lib/card-terms";

interface ItemTermsProps {
  item: BegunCartItem | CartItemResult;
  /** In one line, where it has to be short. */
  inline?: boolean;
  /** What follows in the same paragraph. */
  children?: ReactNode;
}

/** How close a special is to being on and, after it, when the card is charged for it. */
export function ItemTerms({ item, inline = false, children }: ItemTermsProps) {
  const look = item.isShort ? "" : "text-herb";
  if (inline) {
    return (
      <span className="block">
        <strong className={look}>
          {item.seatsSentence}
          {!item.seatsSentence.endsWith("!") && "."}
        </strong>{" "}
        <span className="muted">{unbroken(item.chargeTerms)}</span>
      </span>
    );
  }
  return (
    <span className="small block">
      <strong className={`block ${look}`}>{item.seatsSentence}</strong>
      <span className="muted block">
        {unbroken(item.chargeTerms)} {children}
      </span>
    </span>
  );
}
