"""One order with all that its page shows: the same for the API and for the page."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from apps.preorders.core.referrals import referred_orders
from apps.preorders.documents import email_kinds
from apps.preorders.documents.qr import confirmation_address
from apps.preorders.manage import activity
from apps.preorders.manage.serializers import orders as shapes
from apps.preorders.models import PreOrder
from apps.preorders.models.states import (
    EmailKind,
    OperationKind,
    OrderSource,
    PaymentStatus,
    PreOrderStatus,
)
from apps.preorders.settlement.operations import link_ends, pending_pay_link
from apps.preorders.settlement.payments import CHECKOUT_PAYMENTS
from apps.restaurants.permissions import CurrentMembership


def order_detail(order: PreOrder, *, post: CurrentMembership, now: datetime) -> Any:
    """The order's money, letters and story in the wire's shape; `order` comes from
    `orders.order_for_restaurant`."""
    activity.load_activity(order)
    link = pay_link(order, now=now)
    resendable = {
        kind for kind in EmailKind.values if email_kinds.still_true(order, EmailKind(kind))
    }
    detail = {
        "order": order,
        "money": activity.money_of(order),
        "pay_url": link and link.url,
        "pay_until": link and link.until,
        "order_url": confirmation_address(order),
        "referred_by": order.referred_by,
        "brought": referred_orders(order),
        "link_visits": order.link_visits,
        "trail": activity.activity_of(order),
        "letters": activity.emails_of(order),
    }
    context = {"post": post, "now": now, "resendable": resendable}
    return shapes.OrderDetail(detail, context=context).data


@dataclass(frozen=True, slots=True)
class PayLink:
    """Where an order can still be paid, and until when; the end is known but for seconds."""

    url: str
    until: datetime | None


def pay_link(order: PreOrder, *, now: datetime) -> PayLink | None:
    """Where the guest of a phone order, or of a declined card, can still pay. The order's records
    have been read (`trail.read_records`)."""
    if order.payment_status == PaymentStatus.CAPTURE_FAILED:
        asked = [one for one in activity.emails_of(order) if one.kind == EmailKind.PAYMENT_NEEDED]
        return PayLink(asked[-1].action_url, _end_of_link(order)) if asked else None
    waits = order.status == PreOrderStatus.PENDING and order.payment_status in CHECKOUT_PAYMENTS
    is_open = waits and now < order.checkout_expires_at
    if not (is_open and order.source == OrderSource.PHONE):
        return None
    return PayLink(order.checkout_url, order.checkout_expires_at)


def _end_of_link(order: PreOrder) -> datetime | None:
    """When the page that a declined card's guest was sent to ends; the capture waits until then."""
    waiting = pending_pay_link(order, OperationKind.CAPTURE)
    return link_ends(waiting) if waiting else None
