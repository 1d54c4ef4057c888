"""One order with everything its page shows, for both the API and the page."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from apps.preorders.core.referrals import referred_orders
from apps.preorders.disputes.notices import notices_of
from apps.preorders.documents.qr import confirmation_address
from apps.preorders.emails.kinds import still_true
from apps.preorders.manage import activity
from apps.preorders.manage.money_summary import money_of
from apps.preorders.manage.serializers.orders import OrderDetail
from apps.preorders.models import PreOrder
from apps.preorders.models.states import (
    CHECKOUT_STATUSES,
    EmailKind,
    OperationKind,
    OrderSource,
    PaymentStatus,
    PreOrderStatus,
)
from apps.preorders.settlement.operations import link_ends, pending_pay_link
from apps.restaurants.permissions import CurrentMembership


def order_detail(order: PreOrder, *, membership: CurrentMembership, now: datetime) -> Any:
    """The serialized order with its payment, emails, and activity.

    `order` comes from `order_list.order_for_restaurant`.
    """
    activity.load_activity(order)
    link = pay_link(order, now=now)
    resendable = {kind for kind in EmailKind.values if still_true(order, EmailKind(kind))}
    detail = {
        "order": order,
        "money": money_of(order),
        "disputes": notices_of(order, membership=membership),
        "pay_url": link and link.url,
        "pay_until": link and link.until,
        "order_url": confirmation_address(order),
        "referred_by": order.referred_by,
        "referrals": referred_orders(order),
        "link_visits": order.link_visits,
        "activity": activity.activity_of(order),
        "emails": activity.emails_of(order),
    }
    context = {"membership": membership, "now": now, "resendable": resendable}
    return OrderDetail(detail, context=context).data


@dataclass(frozen=True, slots=True)
class PayLink:
    """The URL where an order can still be paid, and when it expires (None if unknown)."""

    url: str
    until: datetime | None


def pay_link(order: PreOrder, *, now: datetime) -> PayLink | None:
    """The payment link of a phone order or after a declined card; None if there is none.

    Call `activity.load_activity` first.
    """
    if order.payment_status == PaymentStatus.CAPTURE_FAILED:
        asked = [one for one in activity.emails_of(order) if one.kind == EmailKind.PAYMENT_NEEDED]
        return PayLink(asked[-1].action_url, _end_of_link(order)) if asked else None
    waits = order.status == PreOrderStatus.PENDING and order.payment_status in CHECKOUT_STATUSES
    is_open = waits and now < order.checkout_expires_at
    if not (is_open and order.source == OrderSource.PHONE):
        return None
    return PayLink(order.checkout_url, order.checkout_expires_at)


def _end_of_link(order: PreOrder) -> datetime | None:
    """When the link emailed after a declined card expires; the capture waits until then."""
    waiting = pending_pay_link(order, OperationKind.CAPTURE)
    return link_ends(waiting) if waiting else None
