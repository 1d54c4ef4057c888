import { useCallback, useEffect, useRef, useState } from "react";
import { ApiError, isSignedOut, shownRestaurant } from "@/api/client";
import { freshKey } from "@/lib/fresh-key";
import { todayIn } from "@/lib/times";
import { getDay } from "../api/get-day";
import { sendCheckIns } from "../api/send-check-ins";
import { type DeviceStore, openStore } from "../lib/device-store";
import { lookUpLocally } from "../lib/local-look-up";
import type { CheckIn, LookUp, PickupOrder, StoredDay } from "../types";

/** As many as the server takes at a time. */
const BATCH = 100;

/** The server decided nothing: no connection, too slow, its failure, or nobody is signed in. */
export const isUnanswered = (failure: unknown) =>
  !(failure instanceof ApiError) || failure.status >= 500 || isSignedOut(failure);

/** The day's list and the check-ins of this device, which work without a connection. */
export function useDevice(person: string, timeZone: string) {
  const restaurant = shownRestaurant();
  const store = useRef<Promise<DeviceStore>>(undefined);
  store.current ??= openStore();
  const [day, setDay] = useState<StoredDay | null>(null);
  const [checkIns, setCheckIns] = useState<CheckIn[]>([]);
  const [signedOut, setSignedOut] = useState(false);
  const sending = useRef(false);

  const reread = useCallback(async () => {
    const device = await store.current;
    setCheckIns((await device?.checkIns(restaurant)) ?? []);
  }, [restaurant]);

  /** Sends what waits, then reads the day again. Silent without a connection. */
  const sync = useCallback(async () => {
    const device = await store.current;
    if (!device || sending.current) return;
    sending.current = true;
    try {
      const waiting = (await device.checkIns(restaurant)).filter(({ objection }) => !objection);
      for (let from = 0; from < waiting.length; from += BATCH) {
        const sent = waiting.slice(from, from + BATCH);
        const results = await sendCheckIns(sent);
        // Answered in the order in which they were sent.
        for (const [place, made] of sent.entries()) {
          const result = results[place];
          if (!result) continue;
          if (result.status === "picked_up") await device.removeCheckIn(made.id);
          else await device.saveCheckIn({ ...made, objection: result.sentence });
        }
      }
      const fresh = { ...(await getDay()), restaurant, person };
      await device.saveDay(fresh);
      setDay(fresh);
      setSignedOut(false);
    } catch (failure) {
      // Once nobody is signed in, no orders stay on the device. The open page continues with those
      // it has, so that guests needn't wait, and sends its check-ins after the next sign-in.
      if (isSignedOut(failure)) {
        await device.forgetDays();
        setSignedOut(true);
      }
    } finally {
      sending.current = false;
      await reread();
    }
  }, [restaurant, person, reread]);

  useEffect(() => {
    void (async () => {
      const device = await store.current;
      const stored = await device?.day(restaurant);
      const isMine = stored?.person === person && stored.day === todayIn(timeZone);
      if (stored && !isMine) await device?.forgetDays();
      if (stored && isMine) setDay(stored);
      await reread();
      await sync();
    })();
  }, [restaurant, person, timeZone, reread, sync]);

  const waiting = checkIns.filter(({ objection }) => !objection);
  const now = useRef({ day, waiting });
  now.current = { day, waiting };

  /** What this device knows about a code; null without today's list. */
  const find = useCallback(
    (code: string): LookUp | null => {
      const { day: stored, waiting: unsent } = now.current;
      if (!stored || stored.day !== todayIn(timeZone)) return null;
      return lookUpLocally(code, stored, unsent);
    },
    [timeZone],
  );

  /**
   * Marks an order as picked up. It is stored first, so it isn't lost whatever happens to the
   * connection. Returns the server's objection, or null when it counted or waits to be sent.
   */
  const checkIn = useCallback(
    async (order: PickupOrder): Promise<string | null> => {
      const device = await store.current;
      const made: CheckIn = {
        id: freshKey(),
        restaurant,
        orderId: order.id,
        madeAt: new Date().toISOString(),
        guest: order.customerName,
      };
      await device?.saveCheckIn(made);
      let answered = true;
      try {
        const [result] = await sendCheckIns([made]);
        return !result || result.status === "picked_up" ? null : result.sentence;
      } catch (failure) {
        answered = !isUnanswered(failure);
        if (isSignedOut(failure)) setSignedOut(true);
        if (answered) throw failure;
        return null;
      } finally {
        if (answered) await device?.removeCheckIn(made.id);
        await reread();
      }
    },
    [restaurant, reread],
  );

  /** Takes back a check-in that wasn't sent yet; false if there is none. */
  const takeBack = useCallback(
    async (orderId: string): Promise<boolean> => {
      const made = now.current.waiting.find((each) => each.orderId === orderId);
      if (!made || sending.current) return false;
      await (await store.current)?.removeCheckIn(made.id);
      await reread();
      return true;
    },
    [reread],
  );

  const dismiss = useCallback(
    async (id: string) => {
      await (await store.current)?.removeCheckIn(id);
      await reread();
    },
    [reread],
  );

  const noteSignedOut = useCallback(() => setSignedOut(true), []);

  const objections = checkIns.filter(({ objection }) => objection);
  return {
    day,
    signedOut,
    noteSignedOut,
    waiting,
    objections,
    find,
    checkIn,
    takeBack,
    dismiss,
    sync,
  };
}

export type Device = ReturnType<typeof useDevice>;
