import { useState } from "react";
import { Button } from "@/ui/button";
import type { PickupOrder } from "../types";

interface RecentProps {
  orders: PickupOrder[];
  /** What went wrong, or null. */
  onUndo: (order: PickupOrder) => Promise<string | null>;
}

/** The last orders marked here, each with an undo. */
export function Recent({ orders, onUndo }: RecentProps) {
  const [undoing, setUndoing] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);

  async function undo(order: PickupOrder) {
    if (undoing) return;
    setUndoing(order.id);
    setProblem(await onUndo(order));
    setUndoing(null);
  }

  if (orders.length === 0) return null;
  return (
    <section aria-labelledby="recent-title" className="stack rhythm-2">
      <h2 id="recent-title" className="eyebrow">
        Just picked up
      </h2>
      {problem && (
        <p className="error" role="alert">
          {problem}
        </p>
      )}
      <ul className="rows">
        {orders.map((order) => (
          <li key={order.id} className="pickup-recent">
            <p className="min-w-0 break-words">
              <strong>{order.customerName}</strong>, {order.quantity} × {order.servedName}
            </p>
            <Button
              size="small"
              busy={undoing === order.id}
              aria-label={`Undo: ${order.customerName}`}
              onClick={() => void undo(order)}
            >
              Undo
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
