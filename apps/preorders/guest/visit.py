"""The other orders of the same cart: one visit, so one page leads to all of them (decision 148)."""

from dataclasses import dataclass
from datetime import datetime

from apps.offers.presentation import Special
from apps.offers.sold_dishes import SoldDish, dish_sold
from apps.preorders.core.links import order_path
from apps.preorders.documents.qr import shows_code
from apps.preorders.guest.order_status import order_status
from apps.preorders.guest.order_status.charged import is_whole, pending_refund
from apps.preorders.guest.order_status.dinner import awaits_decision
from apps.preorders.guest.order_status.in_short import state_in_short
from apps.preorders.models import PreOrder
from apps.preorders.models.states import PaymentStatus, PreOrderStatus


@dataclass(frozen=True, slots=True)
class OtherOrder:
    order: PreOrder
    sold: SoldDish
    news: str
    path: str
    is_coming: bool  # the guest still needs its code
    in_short: str

    @property
    def is_canceled(self) -> bool:
        return self.order.status == PreOrderStatus.CANCELLED


def orders_of_visit(order: PreOrder, now: datetime) -> list[OtherOrder]:
    """The cart's other orders as their guest sees them; not those that were never placed."""
    if order.cart_id is None:
        return []
    never_placed = {
        "status": PreOrderStatus.CANCELLED,
        "payment_status__in": [PaymentStatus.UNPAID, PaymentStatus.REQUIRES_ACTION],
    }
    others = (
        PreOrder.objects.filter(cart=order.cart_id)
        .exclude(pk=order.pk)
        .exclude(**never_placed)
        .select_related(
            "offer__restaurant__connect_account",
            "offer__alternative_dish",
            "sold__photo",
            "pickup_slot",
        )
        .prefetch_related("operations")
    )
    return [_other(each, now) for each in others.order_by("offer__serve_date", "pk")]


def orders_of_guest(order: PreOrder) -> list[PreOrder]:
    """The order, and its cart's others with the same email address: they were typed together."""
    if order.cart_id is None:
        return [order]
    same = PreOrder.objects.filter(cart=order.cart_id, customer_email__iexact=order.customer_email)
    return list(same.select_related("offer__restaurant"))


def _other(order: PreOrder, now: datetime) -> OtherOrder:
    special = Special(order.offer, now)
    status = order_status(order, special)
    news = status.below_its_dish or status.headline
    is_coming = shows_code(order) and not is_whole(pending_refund(order))
    return OtherOrder(
        order,
        dish_sold(order.sold, alternative=order.serves_alternative, pictured=True),
        special.sentence if awaits_decision(order, special) else news,
        order_path(order),
        is_coming,
        state_in_short(order, special, is_coming=is_coming),
    )
