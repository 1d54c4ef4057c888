"""Counting portions: decisions count the orders, the offer's columns are a copy for display."""

from django.db.models import F, Sum

from apps.offers.models import SpecialOffer
from apps.offers.states import UNDECIDED
from apps.preorders.core.decision import with_restaurant_portions
from apps.preorders.core.waitlist import invited_portions, promote_waitlist
from apps.preorders.models import PaymentOperation, PreOrder
from apps.preorders.models.states import OperationKind, OperationStage, OperationStatus


def reserved_portions(offer: SpecialOffer) -> int:
    """Portions that nobody else can have: booked ones, those in an open checkout (X25), what diners
    are adding to their orders, the house's own, and those kept for the next in line (decision 29).
    """
    ordered = PreOrder.objects.filter(offer=offer).count_portions().reserving
    return with_restaurant_portions(offer, ordered + _being_added(offer)) + invited_portions(offer)


def ordered_portions(offer: SpecialOffer) -> int:
    """Guests' portions whose money is held or taken (X13, X21), without the house's."""
    return PreOrder.objects.filter(offer=offer).booked().portions()


def _being_added(offer: SpecialOffer) -> int:
    """Portions that wait for a larger hold before they are their order's."""
    under_way = PaymentOperation.objects.filter(
        pre_order__offer=offer,
        kind=OperationKind.RENEW,
        state=OperationStatus.PENDING,
        quantity__isnull=False,
    ).exclude(stage=OperationStage.CLEAN_UP)
    return under_way.aggregate(more=Sum(F("quantity") - F("pre_order__quantity")))["more"] or 0


def recount(offer: SpecialOffer) -> None:
    """Refresh the offer's display caches, and hand what has come free to the next in line (decision
    29); the caller holds the offer's lock.

    What a decided offer had booked is history: it stays what it was judged on (DECISIONS X15).
    """
    if offer.status not in UNDECIDED:
        return
    counted = PreOrder.objects.filter(offer=offer).count_portions()
    taken = with_restaurant_portions(offer, counted.reserving + _being_added(offer))
    kept = 0 if offer.max_preorders is None else promote_waitlist(offer, taken=taken)
    save_counts(
        offer, booked=with_restaurant_portions(offer, counted.booked), reserved=taken + kept
    )


def save_counts(offer: SpecialOffer, *, booked: int, reserved: int) -> None:
    """Write the display caches when they have changed; the caller holds the offer's lock."""
    if (offer.ordered_portions, offer.reserved_portions) == (booked, reserved):
        return
    offer.ordered_portions, offer.reserved_portions = booked, reserved
    SpecialOffer.objects.filter(pk=offer.pk).update(
        ordered_portions=booked, reserved_portions=reserved
    )
