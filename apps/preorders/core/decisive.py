"""Which order met an offer's minimum: the one whose portions were the last that were missing.

A portion counts from when the order's card was first held, or from the change that added it. So
neither a renewed hold nor a later change takes this from the order that did it.
"""

from collections import defaultdict
from datetime import datetime, timedelta
from uuid import UUID

from apps.offers.models import SpecialOffer
from apps.preorders.models import PreOrder, PreOrderTransition
from apps.preorders.models.states import PaymentStatus

# When portions were added; the numbers settle what happened at the same time.
_Moment = tuple[datetime, int, datetime]


def reached_minimum(order: PreOrder, offer: SpecialOffer) -> bool:
    """Whether the minimum decides and this is the order that met it, of those that still count."""
    if offer.goes_ahead or offer.ordered_portions < offer.min_preorders:
        return False
    # Most orders of a popular special come after it was met, which one sum tells. Less a minute,
    # because Stripe's times are whole seconds.
    before = order.created_at - timedelta(minutes=1)
    earlier = PreOrder.objects.filter(offer=offer, authorized_at__lt=before).counted()
    if earlier.portions() >= offer.min_preorders:
        return False
    additions = _additions(offer)
    guests = sum(portions for _moment, _order, portions in additions)
    missing = offer.min_preorders - (offer.ordered_portions - guests)
    for _moment, order_id, portions in additions:
        if 0 < missing <= portions:
            return order_id == order.pk
        missing -= portions
    return False


def _additions(offer: SpecialOffer) -> list[tuple[_Moment, UUID, int]]:
    """The portions that count, by when and with which order they were added."""
    orders = PreOrder.objects.filter(offer=offer).counted()
    history: dict[UUID, list[PreOrderTransition]] = defaultdict(list)
    changes = PreOrderTransition.objects.filter(
        pre_order__in=orders, field__in=("quantity", "payment_status")
    )
    for change in changes.order_by("at", "pk"):
        history[change.pre_order_id].append(change)
    found: list[tuple[_Moment, UUID, int]] = []
    for order in orders.only("quantity", "authorized_at", "created_at"):
        found += _of_order(order, history[order.pk])
    return sorted(found)


def _of_order(
    order: PreOrder, history: list[PreOrderTransition]
) -> list[tuple[_Moment, UUID, int]]:
    """The order's portions; fewer take away those that were added last."""
    held = next((each for each in history if each.new == PaymentStatus.AUTHORIZED), None)
    if held is None:
        since = (order.authorized_at or order.created_at, 0, order.created_at)
        return [(since, order.pk, order.quantity)]
    later = [each for each in history if each.field == "quantity" and each.pk > held.pk]
    first = int(later[0].old) if later else order.quantity
    parts = [((held.at, held.pk, order.created_at), first)]
    for change in later:
        more = int(change.new) - int(change.old)
        if more > 0:
            parts.append(((change.at, change.pk, order.created_at), more))
        while more < 0 and parts:
            since, portions = parts.pop()
            more += portions
            if more > 0:
                parts.append((since, more))
    return [(since, order.pk, portions) for since, portions in parts]
