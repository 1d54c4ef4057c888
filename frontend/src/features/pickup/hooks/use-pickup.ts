import { useCallback, useEffect, useRef, useState } from "react";
import { isSignedOut } from "@/api/client";
import { wordsFor } from "@/lib/failure-words";
import { getDayCount } from "../api/get-day-count";
import { lookUpOrder } from "../api/look-up-order";
import { undoPickup } from "../api/undo-pickup";
import { codeFilter } from "../lib/same-code";
import type { DayCount, LookUp, PickupOrder } from "../types";
import { type Device, isUnanswered } from "./use-device";

/** How long 'picked up' stays before the next guest (milliseconds). */
const NEXT_AFTER = 1_500;
const RECENT = 5;

const UNKNOWN_HERE = "You've been signed out, and this order isn't on this device. Sign in again.";

export type Stage =
  | { at: "waiting"; problem?: string }
  | { at: "looking"; code: string }
  | { at: "found"; code: string; found: LookUp; busy?: boolean; problem?: string }
  | { at: "handed"; order: PickupOrder };

/** One guest after the other: look up, fulfill, next. */
export function usePickup(initial: DayCount, device: Device) {
  const { find, checkIn, takeBack, noteSignedOut } = device;
  const [stage, setStage] = useState<Stage>({ at: "waiting" });
  const [recent, setRecent] = useState<PickupOrder[]>([]);
  const [count, setCount] = useState(initial);
  const now = useRef(stage);
  now.current = stage;
  const isNewCode = useRef(codeFilter());
  const round = useRef(0);

  const recount = useCallback(() => {
    // The count is only a convenience: if it can't be read, the old one stays.
    getDayCount().then(setCount, () => undefined);
  }, []);

  const next = useCallback(() => {
    round.current += 1;
    setStage({ at: "waiting" });
  }, []);

  const show = useCallback(
    async (text: string) => {
      const code = text.trim();
      if (!code || now.current.at === "looking") return;
      if (now.current.at === "found" && now.current.busy) return;
      round.current += 1;
      const mine = round.current;
      setStage({ at: "looking", code });
      try {
        const found = await lookUpOrder(code);
        if (round.current === mine) setStage({ at: "found", code, found });
      } catch (failure) {
        if (isSignedOut(failure)) noteSignedOut();
        if (round.current !== mine) return;
        const known = isUnanswered(failure) ? find(code) : null;
        if (known) return setStage({ at: "found", code, found: known });
        const problem = isSignedOut(failure)
          ? UNKNOWN_HERE
          : wordsFor(failure, "That didn't work. Try again in a minute.");
        setStage({ at: "waiting", problem });
      }
    },
    [find, noteSignedOut],
  );

  /**
   * Handles a code that the camera reads. It doesn't replace an order that waits to be picked up.
   */
  const scan = useCallback(
    (text: string) => {
      const at = now.current;
      const isNew = isNewCode.current(text);
      const waits = at.at === "found" && at.found.verdict === "ready";
      if (isNew && !waits && at.at !== "looking") void show(text);
    },
    [show],
  );

  const give = useCallback(async () => {
    const at = now.current;
    if (at.at !== "found" || at.busy || !at.found.order) return;
    setStage({ ...at, busy: true, problem: undefined });
    try {
      const { order } = at.found;
      const objection = await checkIn(order);
      if (objection) return setStage({ ...at, busy: false, problem: objection });
      setStage({ at: "handed", order });
      setRecent((before) =>
        [order, ...before.filter(({ id }) => id !== order.id)].slice(0, RECENT),
      );
      recount();
    } catch (failure) {
      const problem = wordsFor(failure, "That didn't work. Try again in a minute.");
      setStage({ ...at, busy: false, problem });
    }
  }, [recount, checkIn]);

  /** Back to 'not picked up yet'. Returns what went wrong, if anything did. */
  const undo = useCallback(
    async (order: PickupOrder): Promise<string | null> => {
      try {
        if (!(await takeBack(order.id))) await undoPickup(order.id);
        setRecent((before) => before.filter(({ id }) => id !== order.id));
        recount();
        const at = now.current;
        const shown = at.at === "found" ? at.found.order : at.at === "handed" ? at.order : null;
        if (shown?.id === order.id) next();
        return null;
      } catch (failure) {
        if (isSignedOut(failure)) {
          noteSignedOut();
          return "You've been signed out. Sign in again, then undo it.";
        }
        return wordsFor(failure, "That didn't work. Try again in a minute.");
      }
    },
    [next, recount, takeBack, noteSignedOut],
  );

  useEffect(() => {
    if (stage.at !== "handed") return;
    const timer = setTimeout(next, NEXT_AFTER);
    return () => clearTimeout(timer);
  }, [stage, next]);

  return { stage, recent, count, show, scan, give, undo, next, recount };
}
