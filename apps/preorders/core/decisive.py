"""Which order met an offer's minimum: the one with which the portions last came up to it.

A portion counts from when the order's card was first held, or from the change that added it. So
neither a renewed hold nor a later change takes this from the order that did it, and nobody gets it
because that order is canceled while the others are enough.
"""

from collections import defaultdict
from datetime import datetime, timedelta
from uuid import UUID

from apps.offers.models import SpecialOffer
from apps.preorders.models import PreOrder, PreOrderTransition
from apps.preorders.models.states import COUNTED_PAYMENTS, PaymentStatus, PreOrderStatus

# When portions were added or taken away; the numbers settle what happened at the same time.
_Moment = tuple[datetime, int, datetime]
# What an order becomes that counts no longer.
_NOT_COUNTED = {PreOrderStatus.CANCELLED, *(set(PaymentStatus) - COUNTED_PAYMENTS)}


def reached_minimum(order: PreOrder, offer: SpecialOffer) -> bool:
    """Whether the minimum decides, is met, and was met with this order."""
    if offer.goes_ahead or offer.ordered_portions < offer.min_preorders:
        return False
    # Most orders of a popular special come after it was met, which one sum tells. Less a minute,
    # because Stripe's times are whole seconds.
    before = order.created_at - timedelta(minutes=1)
    counted = PreOrder.objects.filter(offer=offer).counted()
    if counted.filter(authorized_at__lt=before).portions() >= offer.min_preorders:
        return False
    missing = offer.min_preorders - (offer.ordered_portions - counted.portions())
    met_with = None
    for _moment, order_id, portions in _changes(offer, set(counted.values_list("pk", flat=True))):
        if 0 < missing <= portions:
            met_with = order_id
        missing -= portions
        if missing > 0:
            met_with = None
    return met_with == order.pk


def _changes(offer: SpecialOffer, counted: set[UUID]) -> list[tuple[_Moment, UUID, int]]:
    """The portions that were added and taken away, by when and with which order."""
    orders = PreOrder.objects.filter(offer=offer, authorized_at__isnull=False)
    history: dict[UUID, list[PreOrderTransition]] = defaultdict(list)
    transitions = PreOrderTransition.objects.filter(
        pre_order__in=orders, field__in=("quantity", "payment_status", "status")
    )
    for change in transitions.order_by("at", "pk"):
        history[change.pre_order_id].append(change)
    found: list[tuple[_Moment, UUID, int]] = []
    for order in orders.only("quantity", "authorized_at", "created_at"):
        found += _of_order(order, history[order.pk], still_counts=order.pk in counted)
    return sorted(found)


def _of_order(
    order: PreOrder, history: list[PreOrderTransition], *, still_counts: bool
) -> list[tuple[_Moment, UUID, int]]:
    held = next((each for each in history if each.new == PaymentStatus.AUTHORIZED), None)
    if held is None:
        if not still_counts:
            return []
        since = (order.authorized_at or order.created_at, 0, order.created_at)
        return [(since, order.pk, order.quantity)]
    later = [each for each in history if each.pk > held.pk]
    resized = [each for each in later if each.field == "quantity"]
    first = int(resized[0].old) if resized else order.quantity
    found = [((held.at, held.pk, order.created_at), order.pk, first)]
    for change in resized:
        more = int(change.new) - int(change.old)
        found.append(((change.at, change.pk, order.created_at), order.pk, more))
    left = next((each for each in later if each.new in _NOT_COUNTED), None)
    if left is not None and not still_counts:
        found.append(((left.at, left.pk, order.created_at), order.pk, -order.quantity))
    return found
