import { MessageSquareText } from "lucide-react";
import { serviceModes } from "@/lib/service-modes";
import { formatDay } from "@/lib/times";
import { verdictLooks } from "../lib/verdicts";
import type { LookUp } from "../types";

/**
 * What to do with the guest in front of you: color, icon, and words at a glance, then the guest's
 * name.
 */
export function VerdictPanel({ found }: { found: LookUp }) {
  const { verdict, sentence, order } = found;
  const { label, tone, icon: Icon } = verdictLooks[verdict];
  return (
    <div className="verdict" data-tone={tone} role="alert">
      <p className="verdict-text">
        <Icon size="2.25rem" strokeWidth={2} aria-hidden="true" />
        {label}
      </p>
      {order && (
        <>
          <p className="verdict-name">{order.customerName}</p>
          <p className="verdict-what">
            <strong>{order.quantity} ×</strong> <span>{order.servedName}</span>
          </p>
          <p className="verdict-facts">
            <span className="order-code">{order.code}</span>
            <span>{formatDay(order.offerServeDate)}</span>
            {order.slot && <span>{order.slot.label}</span>}
            {order.serviceMode && <span>{serviceModes[order.serviceMode]}</span>}
          </p>
        </>
      )}
      {verdict !== "ready" && <p className="verdict-sentence">{sentence}</p>}
      {order?.note && (
        <p className="verdict-note">
          <MessageSquareText size="1.25rem" strokeWidth={1.75} aria-hidden="true" />
          <span>
            <span className="visually-hidden">The guest's note: </span>
            {order.note}
          </span>
        </p>
      )}
    </div>
  );
}
