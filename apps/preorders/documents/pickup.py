"""At the door: the guest's code or QR, and what to do about it, at a glance."""

import re
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from urllib.parse import parse_qs, urlsplit
from uuid import UUID

from apps.common import formats
from apps.preorders.documents.order_list import for_people
from apps.preorders.models import PreOrder
from apps.preorders.models.states import PaymentStatus, PreOrderStatus
from apps.restaurants.models import Restaurant

LONGEST_CODE = 2048  # a QR's text is an address
_SHORT_CODE = re.compile(r"[0-9A-F]{8}")
_SPACES = re.compile(r"[\s-]+")


class Verdict(StrEnum):
    READY = "ready"
    PICKED_UP = "picked_up"
    CANCELLED = "cancelled"
    WRONG_DAY = "wrong_day"
    NOT_PAID = "not_paid"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class PickUp:
    """`sentence` says what to do; `order` is None when nothing was found."""

    verdict: Verdict
    sentence: str
    order: PreOrder | None = None


def look_up(*, restaurant: Restaurant, code: str, now: datetime) -> PickUp:
    """Who stands at the door. `code` is the 8 characters of the order, case and spaces forgiven,
    or the text of its QR code: the address of its confirmation page."""
    found = _orders(restaurant, code)
    if not found:
        return PickUp(Verdict.UNKNOWN, "No order here has this code. Read it once more.")
    # Eight characters meet by chance once in many thousand orders: today's comes first.
    judged = [_judge(order, now) for order in found]
    return min(judged, key=lambda one: list(Verdict).index(one.verdict))


def slot_label(order: PreOrder) -> str:
    """`5:30–6:00 PM`; empty when the guest comes at any time of the day."""
    slot = order.pickup_slot
    if slot is None:
        return ""
    return formats.span(slot.starts_at, slot.ends_at, order.offer.restaurant.zone)


def order_id_of(text: str) -> UUID | None:
    """The order that a confirmation page's address names."""
    try:
        asked = parse_qs(urlsplit(text.strip()).query).get("preorder", [""])[0]
        return UUID(asked or text.strip())
    except ValueError:
        return None


def _orders(restaurant: Restaurant, code: str) -> list[PreOrder]:
    orders = PreOrder.objects.filter(restaurant=restaurant)
    if order_id := order_id_of(code):
        orders = orders.filter(pk=order_id)
    else:
        short = _SPACES.sub("", code).upper()
        if not _SHORT_CODE.fullmatch(short):
            return []
        orders = orders.filter(short_code=short)
    found = list(for_people(orders)[:5])
    for order in found:
        order.restaurant = order.offer.restaurant = restaurant
    return found


def _judge(order: PreOrder, now: datetime) -> PickUp:
    zone = order.offer.restaurant.zone
    portions = formats.count(order.quantity, "portion")
    if order.status == PreOrderStatus.FULFILLED:
        when = _fetched_at(order)
        moment = f" at {formats.moment(when, zone)}" if when else ""
        return PickUp(Verdict.PICKED_UP, f"Picked up already{moment}. Hand nothing out.", order)
    if order.status == PreOrderStatus.CANCELLED or order.payment_status in (
        PaymentStatus.RELEASED,
        PaymentStatus.REFUNDED,
    ):
        text = "This order was cancelled and nobody pays for it. Hand nothing out."
        return PickUp(Verdict.CANCELLED, text, order)
    if order.payment_status != PaymentStatus.CAPTURED:
        return PickUp(Verdict.NOT_PAID, _not_paid(order), order)
    if order.offer.serve_date != now.astimezone(zone).date():
        day = formats.day(order.offer.serve_date)
        return PickUp(Verdict.WRONG_DAY, f"Paid, but for another day: {day}.", order)
    return PickUp(Verdict.READY, f"Hand out {portions}.", order)


def _not_paid(order: PreOrder) -> str:
    if order.payment_status == PaymentStatus.AUTHORIZED:
        return "The card is held, not charged: the special is not decided yet."
    if order.payment_status == PaymentStatus.CAPTURE_FAILED:
        return "The card was declined. Let the guest pay by the link in our letter first."
    return "Nobody has paid for this order. Hand nothing out."


def _fetched_at(order: PreOrder) -> datetime | None:
    moves = order.transitions.filter(field="status", new=PreOrderStatus.FULFILLED)
    last = moves.order_by("-pk").first()
    return last.at if last else None
