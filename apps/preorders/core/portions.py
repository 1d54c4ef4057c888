"""Counting portions. Decisions count the orders; the offer's columns are a copy for display."""

from django.db.models import F, Sum

from apps.offers.models import SpecialOffer
from apps.offers.states import UNDECIDED
from apps.preorders.core.decision import with_restaurant_portions
from apps.preorders.core.waitlist import invited_portions, promote_waitlist
from apps.preorders.models import PaymentOperation, PreOrder
from apps.preorders.models.states import OperationKind, OperationStage, OperationStatus


def reserved_portions(offer: SpecialOffer) -> int:
    """Portions that nobody else can order: held or charged, reserved in checkout (DECISIONS X25),
    being added to orders, added by the restaurant, or reserved for the waitlist (decision 29)."""
    ordered = PreOrder.objects.filter(offer=offer).count_portions().reserving
    return with_restaurant_portions(offer, ordered + _being_added(offer)) + invited_portions(offer)


def ordered_portions(offer: SpecialOffer) -> int:
    """Guests' portions that are held or charged (DECISIONS X13, X21)."""
    return PreOrder.objects.filter(offer=offer).counted().portions()


def _being_added(offer: SpecialOffer) -> int:
    """Portions that wait for a larger hold before they are added to their order."""
    under_way = PaymentOperation.objects.filter(
        pre_order__offer=offer,
        kind=OperationKind.RENEW,
        state=OperationStatus.PENDING,
        quantity__isnull=False,
    ).exclude(stage=OperationStage.CLEAN_UP)
    return under_way.aggregate(more=Sum(F("quantity") - F("pre_order__quantity")))["more"] or 0


def recount(offer: SpecialOffer) -> None:
    """Refresh the offer's display columns and promote the waitlist (decision 29); the caller holds
    the offer's lock.

    A decided offer keeps the counts it was decided on (DECISIONS X15).
    """
    if offer.status not in UNDECIDED:
        return
    portions = PreOrder.objects.filter(offer=offer).count_portions()
    taken = with_restaurant_portions(offer, portions.reserving + _being_added(offer))
    reserved = 0 if offer.max_preorders is None else promote_waitlist(offer, taken=taken)
    save_counts(
        offer, ordered=with_restaurant_portions(offer, portions.counted), reserved=taken + reserved
    )


def save_counts(offer: SpecialOffer, *, ordered: int, reserved: int) -> None:
    """Save the display columns if they changed; the caller holds the offer's lock."""
    if (offer.ordered_portions, offer.reserved_portions) == (ordered, reserved):
        return
    offer.ordered_portions, offer.reserved_portions = ordered, reserved
    SpecialOffer.objects.filter(pk=offer.pk).update(
        ordered_portions=ordered, reserved_portions=reserved
    )
