"""One order with all that its page shows: the same for the API and for the page."""

from datetime import datetime
from typing import Any

from apps.preorders import letters, trail
from apps.preorders.api import order_shapes as shapes
from apps.preorders.models import PreOrder
from apps.preorders.qr import order_url
from apps.preorders.services.payments import IN_CHECKOUT
from apps.preorders.states import (
    MailKind,
    OrderSource,
    PaymentStatus,
    PreOrderStatus,
)
from apps.restaurants.roles import Post


def order_detail(order: PreOrder, *, post: Post, now: datetime) -> Any:
    """The order's money, letters and story in the wire's shape; `order` comes from
    `orders.order_for_restaurant`."""
    trail.read_records(order)
    resendable = {kind for kind in MailKind.values if letters.still_true(order, MailKind(kind))}
    detail = {
        "order": order,
        "money": trail.money_of(order),
        "pay_url": pay_url(order, now=now),
        "order_url": order_url(order),
        "trail": trail.trail_of(order),
        "letters": trail.letters_of(order),
    }
    context = {"post": post, "now": now, "resendable": resendable}
    return shapes.OrderDetail(detail, context=context).data


def pay_url(order: PreOrder, *, now: datetime) -> str | None:
    """Where the guest of a phone order, or of a declined card, can still pay. The order's records
    have been read (`trail.read_records`)."""
    if order.payment_status == PaymentStatus.CAPTURE_FAILED:
        asked = [one for one in trail.letters_of(order) if one.kind == MailKind.PAYMENT_NEEDED]
        return asked[-1].action_url if asked else None
    waits = order.status == PreOrderStatus.PENDING and order.payment_status in IN_CHECKOUT
    is_open = waits and now < order.checkout_expires_at
    return order.checkout_url if is_open and order.source == OrderSource.PHONE else None
