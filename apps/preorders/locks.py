"""Row locks of orders, always after their offer's, so that no two of ours can wait in a circle."""

from uuid import UUID

from apps.offers.locks import lock_offer
from apps.preorders.models import PreOrder


def lock_order(order_id: UUID) -> PreOrder:
    """The order with its offer (`order.offer`), both locked until the caller's transaction ends.

    Raises PreOrder.DoesNotExist.
    """
    offer_id = PreOrder.objects.values_list("offer_id", flat=True).get(pk=order_id)
    offer = lock_offer(offer_id)
    order = PreOrder.objects.select_for_update(of=("self",)).get(pk=order_id)
    order.offer = offer
    return order
