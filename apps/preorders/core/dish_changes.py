"""Dishes that changed after they were ordered: what differs, and who is notified (decision 49)."""

from collections.abc import Iterator
from datetime import datetime

from apps.offers.models import SpecialOffer
from apps.offers.sold_dishes import SoldDish, describe_changes, dish_now, dish_sold
from apps.offers.states import UNDECIDED
from apps.preorders.core.email_queue import queue_emails_again
from apps.preorders.models import PreOrder
from apps.preorders.models.querysets import PreOrderQuerySet
from apps.preorders.models.states import EmailKind


def changes_since_ordered(order: PreOrder) -> list[str]:
    """What differs between what the guest was sold and what it is now: a sentence for each, in the
    active language; empty if nothing does that guests must know.

    Until the decision it counts the alternative too, for guests who chose it. Reads `order.sold`,
    `order.offer` and its alternative.
    """
    changes: list[str] = []
    for sold, now in _pairs(order, order.offer):
        if now.name and sold.differs_from(now):
            changes += describe_changes(sold, now)
    return changes


def guests_to_tell(offer: SpecialOffer) -> PreOrderQuerySet:
    """Orders whose guests are notified of a change: their card is held or charged, and they have an
    email address."""
    counted = PreOrder.objects.filter(offer=offer).counted().exclude(customer_email="")
    return counted.select_related("sold").order_by("pk")


def orders_that_differ(offer: SpecialOffer) -> list[PreOrder]:
    """Those of `guests_to_tell` who were sold something other than what `offer` says now.

    `offer` can be a changed copy that was never saved.
    """
    found = []
    for order in guests_to_tell(offer):
        order.offer = offer
        if changes_since_ordered(order):
            found.append(order)
    return found


def queue_dish_changed_emails(offer: SpecialOffer, *, now: datetime) -> int:
    """Email every guest who was sold something other than what `offer` says now; returns how many.
    The caller holds the offer's lock."""
    notified = orders_that_differ(offer)
    queue_emails_again(notified, EmailKind.DISH_CHANGED, now=now)
    return len(notified)


def _pairs(order: PreOrder, offer: SpecialOffer) -> Iterator[tuple[SoldDish, SoldDish]]:
    """What was sold and what it is now, of each dish the guest may get."""
    if not order.serves_alternative:
        yield dish_sold(order.sold), dish_now(offer)
    undecided = offer.status in UNDECIDED and order.alternative_price is not None
    if (order.serves_alternative or undecided) and order.sold.alternative_name:
        sold = dish_sold(order.sold, alternative=True)
        yield sold, dish_now(offer, alternative=True)
