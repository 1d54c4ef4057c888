"""Counting portions: decisions count the orders, the offer's columns are a copy for display."""

from apps.offers.models import SpecialOffer
from apps.offers.states import UNDECIDED
from apps.preorders.decision import with_the_house
from apps.preorders.models import PreOrder


def reserved_portions(offer: SpecialOffer) -> int:
    """Portions that nobody else can have: booked ones, those in an open checkout (X25), and the
    house's own."""
    return with_the_house(offer, PreOrder.objects.filter(offer=offer).count_portions().taking_part)


def booked_portions(offer: SpecialOffer) -> int:
    """Guests' portions whose money is held or taken (X13, X21), without the house's."""
    return PreOrder.objects.filter(offer=offer).booked().portions()


def recount(offer: SpecialOffer) -> None:
    """Refresh the offer's display caches; the caller holds the offer's lock.

    What a decided offer had booked is history: it stays what it was judged on (DECISIONS X15).
    """
    if offer.status not in UNDECIDED:
        return
    counted = PreOrder.objects.filter(offer=offer).count_portions()
    keep_counts(
        offer,
        booked=with_the_house(offer, counted.booked),
        reserved=with_the_house(offer, counted.taking_part),
    )


def keep_counts(offer: SpecialOffer, *, booked: int, reserved: int) -> None:
    """Write the display caches when they have changed; the caller holds the offer's lock."""
    if (offer.booked_portions, offer.reserved_portions) == (booked, reserved):
        return
    offer.booked_portions, offer.reserved_portions = booked, reserved
    SpecialOffer.objects.filter(pk=offer.pk).update(
        booked_portions=booked, reserved_portions=reserved
    )
