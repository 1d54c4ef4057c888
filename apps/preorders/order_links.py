"""The signed link to the guest's own page of an order; whoever has it can change and cancel it.

It is in every email and needs no account. The confirmation page, which the QR code opens, has a
different, read-only address (DECISIONS X33).
"""

from datetime import date, datetime, timedelta
from uuid import UUID

from apps.common.signed_ids import SignedIds
from apps.preorders.models import PreOrder
from apps.restaurants.hosts import absolute_url

# How long after the serve date an order's link works.
LINK_LIFE = timedelta(days=180)

_links = SignedIds("preorders.order_links")
_old_links = SignedIds("preorders.cancellation", sep=":")


def order_token(order: PreOrder) -> str:
    """The end of the link: the order's id, signed."""
    return _links.token(order.pk)


def order_path(order: PreOrder, *, then: str = "") -> str:
    """The path of the link; `then` is appended, such as `/calendar.ics` or `#cancel`."""
    return f"/order/{order_token(order)}{then}"


def order_url(order: PreOrder, *, then: str = "") -> str:
    """The absolute link, on the restaurant's host."""
    return absolute_url(order_path(order, then=then), restaurant=order.offer.restaurant)


def cart_return_url(order: PreOrder) -> str:
    """Where the guest continues with a cart: the page the bank redirects back to."""
    path = f"/cart/return?checkout={order.cart_id}"
    return absolute_url(path, restaurant=order.offer.restaurant)


def order_of_link(token: str) -> UUID | None:
    """The order a link is for; None for one we did not sign."""
    return _links.key_of(token)


def order_of_old_link(key: str) -> UUID | None:
    """The order of a link to the former cancellation page; None for one we did not sign."""
    return _old_links.key_of(key)


def has_ended(serve_date: date, *, now: datetime) -> bool:
    """Whether the links of orders served on that day have expired."""
    return now.date() > serve_date + LINK_LIFE
