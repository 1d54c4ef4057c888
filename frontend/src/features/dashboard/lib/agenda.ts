import type { Special } from "@/api/types";
import { NEAR_DEADLINE } from "@/lib/countdown";
import { dayAfter, todayIn } from "@/lib/times";

/** What needs the owner today, most urgent first within each list. */
interface Agenda {
  /** Active offers by deadline. */
  upcoming: Special[];
  /** Those that decide within a day and still lack portions. */
  atRisk: Special[];
  /** Offers whose holds are being charged or released at this moment. */
  deciding: Special[];
  /** Offers that go ahead and are served today. */
  servedToday: Special[];
  /** The same for tomorrow: what to shop and cook for. */
  servedTomorrow: Special[];
}

export function agendaFor(offers: Special[], timeZone: string, now: Date = new Date()): Agenda {
  const deadline = (offer: Special) => Date.parse(offer.preorderExpiresAt);
  const upcoming = offers
    .filter((offer) => offer.status === "active" && deadline(offer) > now.getTime())
    .sort((one, other) => deadline(one) - deadline(other));
  const today = todayIn(timeZone, now);
  const tomorrow = dayAfter(today);
  const servedOn = (day: string) =>
    offers.filter(
      (offer) => offer.seatsState === "succeeded" && offer.specialServeDate.slice(0, 10) === day,
    );
  return {
    upcoming,
    atRisk: upcoming.filter(
      (offer) =>
        offer.currentPreorders < offer.minPreordersRequired &&
        deadline(offer) - now.getTime() <= NEAR_DEADLINE,
    ),
    deciding: offers.filter((offer) => offer.seatsState === "deciding"),
    servedToday: servedOn(today),
    servedTomorrow: servedOn(tomorrow),
  };
}
