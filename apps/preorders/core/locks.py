"""Row locks of orders, always taken after their offer's lock, so that they can't deadlock."""

from collections.abc import Iterable
from uuid import UUID

from apps.offers.locks import lock_offer, lock_offers
from apps.offers.models import SpecialOffer
from apps.offers.states import DECIDED
from apps.preorders.models import PreOrder


def lock_order(order_id: UUID, *, read: SpecialOffer | None = None) -> PreOrder:
    """The order with its offer (`order.offer`), both locked until the caller's transaction ends.

    A decided offer never changes again, so it isn't locked: a thousand orders of one offer can be
    settled in parallel. A deleted one is: its portions are counted again, and a caller that read it
    before it was deleted waits for both locks. `read`: an already loaded offer, to save a query.

    Raises PreOrder.DoesNotExist.
    """
    offer = read or PreOrder.objects.select_related("offer__restaurant").get(pk=order_id).offer
    if offer.status not in DECIDED:
        offer = lock_offer(offer.pk)
    order = PreOrder.objects.select_for_update(of=("self",)).get(pk=order_id)
    order.offer = offer
    return order


def lock_orders(offer: SpecialOffer, order_ids: Iterable[UUID]) -> list[PreOrder]:
    """Orders of a decided offer (`order.offer`), locked by primary key until the caller's
    transaction ends."""
    orders = PreOrder.objects.filter(offer=offer, pk__in=list(order_ids)).order_by("pk")
    locked = list(orders.select_for_update(of=("self",)))
    for order in locked:
        order.offer = offer
    return locked


def lock_cart_items(cart_id: UUID) -> list[PreOrder]:
    """All items of a cart with their offers (`item.offer`), locked until the caller's transaction
    ends: first the offers, then the items, each by primary key."""
    items = PreOrder.objects.filter(cart=cart_id)
    offers = {offer.pk: offer for offer in lock_offers(items.values_list("offer_id", flat=True))}
    locked = list(items.select_for_update(of=("self",)).order_by("pk"))
    for item in locked:
        item.offer = offers[item.offer_id]
    return locked
