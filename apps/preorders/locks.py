"""Row locks of orders, always after their offer's, so that no two of ours can wait in a circle."""

from uuid import UUID

from apps.offers.locks import lock_offer
from apps.offers.states import UNDECIDED
from apps.preorders.models import PreOrder


def lock_order(order_id: UUID) -> PreOrder:
    """The order with its offer (`order.offer`), both locked until the caller's transaction ends.

    An offer whose outcome is decided never changes again and its portions are no longer counted, so
    it is read and not locked: a thousand orders of one offer are settled side by side.

    Raises PreOrder.DoesNotExist.
    """
    offer_id, status = PreOrder.objects.values_list("offer_id", "offer__status").get(pk=order_id)
    orders = PreOrder.objects.select_for_update(of=("self",))
    if status not in UNDECIDED:
        return orders.select_related("offer__restaurant").get(pk=order_id)
    offer = lock_offer(offer_id)
    order = orders.get(pk=order_id)
    order.offer = offer
    return order
