"""Row locks of orders, always after their offer's, so that no two of ours can wait in a circle."""

from collections.abc import Iterable
from uuid import UUID

from apps.offers.locks import lock_offer, lock_offers
from apps.offers.models import SpecialOffer
from apps.offers.states import UNDECIDED
from apps.preorders.models import PreOrder


def lock_order(order_id: UUID, *, read: SpecialOffer | None = None) -> PreOrder:
    """The order with its offer (`order.offer`), both locked until the caller's transaction ends.

    An offer whose outcome is decided never changes again and its portions are no longer counted, so
    it is read and not locked: a thousand orders of one offer are settled side by side. Who has read
    the offer already hands it over as `read`.

    Raises PreOrder.DoesNotExist.
    """
    offer = read or PreOrder.objects.select_related("offer__restaurant").get(pk=order_id).offer
    if offer.status in UNDECIDED:
        offer = lock_offer(offer.pk)
    order = PreOrder.objects.select_for_update(of=("self",)).get(pk=order_id)
    order.offer = offer
    return order


def lock_orders(offer: SpecialOffer, order_ids: Iterable[UUID]) -> list[PreOrder]:
    """Orders of an offer whose outcome is decided (`order.offer`), locked until the caller's
    transaction ends, in the order of their keys."""
    orders = PreOrder.objects.filter(offer=offer, pk__in=list(order_ids)).order_by("pk")
    locked = list(orders.select_for_update(of=("self",)))
    for order in locked:
        order.offer = offer
    return locked


def lock_cart_items(cart_id: UUID) -> list[PreOrder]:
    """Every line of a cart with its offer (`line.offer`), locked until the caller's transaction
    ends: all offers first, each kind in the order of its keys."""
    lines = PreOrder.objects.filter(cart=cart_id)
    offers = {offer.pk: offer for offer in lock_offers(lines.values_list("offer_id", flat=True))}
    locked = list(lines.select_for_update(of=("self",)).order_by("pk"))
    for line in locked:
        line.offer = offers[line.offer_id]
    return locked
