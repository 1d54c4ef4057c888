import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useRef, useState } from "react";
import { ApiError, NetworkError } from "@/api/client";
import type { OrderDetail } from "@/api/types";
import { sentenceFor } from "@/lib/server-errors";
import { fetchOrder } from "../api/get-order";
import { ordersKey } from "../api/list-orders";
import { type OrderRequest, useOrderAction } from "../api/order-action";

const MOVES_MONEY: OrderRequest["action"][] = ["cancel", "refund"];

/**
 * Carries out one action at a time on an order. If an answer is lost, the order is read again
 * before anything can be sent, so that no refund is made twice.
 */
export function useOrderActions(id: string) {
  const queries = useQueryClient();
  const mutation = useOrderAction(id);
  const busy = useRef(false);
  const [problem, setProblem] = useState<ReactNode>(null);
  const [doing, setDoing] = useState<string | null>(null);
  /** What the order was before an answer was lost. */
  const [unsure, setUnsure] = useState<OrderDetail["order"] | null>(null);

  async function lookAgain(before: OrderDetail["order"]): Promise<boolean> {
    const now = await fetchOrder(id);
    queries.setQueryData([...ordersKey, id], now);
    setUnsure(null);
    const { order } = now;
    const moved =
      order.status !== before.status ||
      order.paymentStatus !== before.paymentStatus ||
      order.refundedAmount !== before.refundedAmount ||
      order.actions.join() !== before.actions.join();
    if (!moved) {
      setProblem("Your change didn't go through, and nothing has changed. You can try again now.");
    }
    return moved;
  }

  /** True if it was done. A refusal is in `problem`, in the server's words. */
  async function run(what: OrderRequest, order: OrderDetail["order"]): Promise<boolean> {
    if (busy.current) return false;
    busy.current = true;
    setDoing(what.action);
    setProblem(null);
    try {
      if (unsure) return await lookAgain(unsure);
      await mutation.mutateAsync(what);
      return true;
    } catch (failure) {
      const sentence = sentenceFor(failure, "That didn't work. Try again in a minute.");
      if (failure instanceof NetworkError && MOVES_MONEY.includes(what.action)) {
        setUnsure((earlier) => earlier ?? order);
        setProblem(
          "You lost your connection, so we don't know yet whether it went through. What you entered is still here. Try again once you're online: we check first and never do it twice.",
        );
      } else {
        setProblem(sentence);
        // The order has changed meanwhile: show it as it is now.
        if (failure instanceof ApiError && failure.status === 409) {
          void queries.invalidateQueries({ queryKey: [...ordersKey, id] });
        }
      }
      return false;
    } finally {
      busy.current = false;
      setDoing(null);
    }
  }

  return { run, doing, problem, clearProblem: () => setProblem(null) };
}
