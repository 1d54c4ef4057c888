"""Pickup look-up: finds an order by code or QR text and says what to do."""

import re
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from urllib.parse import parse_qs, urlsplit
from uuid import UUID

from apps.common import formats
from apps.preorders.core.dish_changes import changes_since_ordered
from apps.preorders.core.selectors import is_being_refunded
from apps.preorders.manage.order_list import for_people
from apps.preorders.models import PreOrder
from apps.preorders.models.states import PaymentStatus, PreOrderStatus
from apps.restaurants.models import Restaurant

MAX_CODE_LENGTH = 2048  # a QR code's text is a URL
_SHORT_CODE = re.compile(r"[0-9A-F]{8}")
_SPACES = re.compile(r"[\s-]+")


DISPUTED = (
    "The guest's bank took this payment back. Don't hand anything over without the owner or a "
    "manager: they can decide on the order's dispute page."
)


class Verdict(StrEnum):
    READY = "ready"
    PICKED_UP = "picked_up"
    CANCELLED = "cancelled"
    WRONG_DAY = "wrong_day"
    NOT_PAID = "not_paid"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class PickUp:
    """The result of a look-up: `sentence` says what to do; `order` is None if none was found."""

    verdict: Verdict
    sentence: str
    order: PreOrder | None = None


def look_up(*, restaurant: Restaurant, code: str, now: datetime) -> PickUp:
    """Look up an order at pickup.

    `code` is the 8-character order code, in any case and with spaces, or the text of the QR code:
    the URL of the confirmation page.
    """
    found = _orders(restaurant, code)
    if not found:
        return PickUp(Verdict.UNKNOWN, "No order with that code. Check it and try again.")
    # Two orders can share a code, very rarely: prefer the one that is ready today.
    judged = [judge(order, now) for order in found]
    return min(judged, key=lambda one: list(Verdict).index(one.verdict))


def order_id_of(text: str) -> UUID | None:
    """The order id in a confirmation page's URL, or in a bare id; None if there is none."""
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


def judge(order: PreOrder, now: datetime) -> PickUp:
    """What to do with whoever asks for this order. Load it with `order_list.for_people`."""
    zone = order.offer.restaurant.zone
    portions = formats.count(order.quantity, "portion")
    if order.status == PreOrderStatus.FULFILLED:
        when = _fetched_at(order)
        moment = f" on {formats.moment(when, zone)}" if when else ""
        return PickUp(
            Verdict.PICKED_UP, f"Already picked up{moment}. Don't hand anything over.", order
        )
    if order.status == PreOrderStatus.CANCELLED or order.payment_status in (
        PaymentStatus.RELEASED,
        PaymentStatus.REFUNDED,
    ):
        text = "This order was canceled and isn't paid. Don't hand anything over."
        return PickUp(Verdict.CANCELLED, text, order)
    if order.payment_status != PaymentStatus.CAPTURED:
        return PickUp(Verdict.NOT_PAID, _not_paid(order), order)
    if order.disputed_amount:
        return PickUp(Verdict.NOT_PAID, DISPUTED, order)
    if is_being_refunded(order):
        text = "This order is being refunded in full. Don't hand anything over."
        return PickUp(Verdict.CANCELLED, text, order)
    if order.offer.serve_date != now.astimezone(zone).date():
        day = formats.day(order.offer.serve_date)
        return PickUp(Verdict.WRONG_DAY, f"Paid, but for a different day: {day}.", order)
    changed = " ".join(changes_since_ordered(order))
    remark = f" Tell the guest what changed. {changed}" if changed else ""
    return PickUp(Verdict.READY, f"Hand over {portions}.{remark}", order)


def _not_paid(order: PreOrder) -> str:
    if order.payment_status == PaymentStatus.AUTHORIZED:
        return "The card is on hold, not charged: the special isn't decided yet."
    if order.payment_status == PaymentStatus.CAPTURE_FAILED:
        return "The card was declined. Ask the guest to pay with their payment link first."
    return "This order isn't paid. Don't hand anything over."


def _fetched_at(order: PreOrder) -> datetime | None:
    if hasattr(order, "fetched_at"):  # read with a list
        return order.fetched_at  # type: ignore[no-any-return]
    transitions = order.transitions.filter(field="status", new=PreOrderStatus.FULFILLED)
    last = transitions.order_by("-pk").first()
    return last.at if last else None
