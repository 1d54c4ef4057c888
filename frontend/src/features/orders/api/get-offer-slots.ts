import { useQuery } from "@tanstack/react-query";
import type { OrderSlot } from "@/api/types";

/** A pickup time with what it still takes; null is without a limit. */
type OfferSlot = OrderSlot & { left: number | null };

/** The pickup times of an offer; an empty list while they load, too. */
export function useOfferSlots(offerId: string): OfferSlot[] {
  const offer = useQuery<{ slots?: OfferSlot[] }>({
    queryKey: ["/api/specials", offerId],
    enabled: offerId !== "",
    // Another order may have taken a slot's last portion since the dialog was opened.
    staleTime: 0,
  });
  return offer.data?.slots ?? [];
}
