import { useQuery } from "@tanstack/react-query";
import type { OrderSlot } from "@/api/types";

/** A pickup time with what it still takes; null is without a limit. */
type OfferSlot = OrderSlot & { left: number | null };

/** The pickup times of an offer; none until they have come, or when there are none. */
export function useOfferSlots(offerId: string): OfferSlot[] {
  const offer = useQuery<{ slots?: OfferSlot[] }>({
    queryKey: ["/api/specials", offerId],
    enabled: offerId !== "",
    // Another order may have taken the last place since the dialog was open.
    staleTime: 0,
  });
  return offer.data?.slots ?? [];
}
