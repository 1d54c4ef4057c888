import { useState } from "react";
import { request } from "@/api/client";
import type { GuestsToTell, PromiseInput } from "@/api/types";

interface Asked {
  promise: string;
  guests: number;
}

/**
 * Warns once, before a change to a dish that guests ordered, how many of them would get an email.
 */
export function useGuestsToTell(path: string) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const guests = asked?.guests ?? 0;
  const people = guests === 1 ? "1 guest" : `${guests} guests`;

  /** False if the owner must read the warning first; saving again then goes through. */
  async function isUnderstood(changes: PromiseInput): Promise<boolean> {
    const { name, description, allergens, dietary } = changes;
    const body = { name, description, allergens, dietary };
    const promise = JSON.stringify(body);
    if (asked?.promise === promise) return true;
    const answer = await request<GuestsToTell>(path, { method: "POST", body });
    setAsked({ promise, guests: answer.guests });
    return answer.guests === 0;
  }

  return {
    isUnderstood,
    warning:
      guests > 0
        ? `${people} ordered this dish as it was. Saving emails ${guests === 1 ? "them" : "all of them"} what changed, and they can cancel for free until the deadline.`
        : null,
    saveLabel: guests > 0 ? `Save and email ${people}` : "Save changes",
  };
}
