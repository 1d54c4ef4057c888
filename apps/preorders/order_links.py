"""The signed link to the diner's own page of an order: who holds it may change and cancel it.

It stands in every letter and needs no account. The address of the confirmation page, which a QR
code shows to a camera at the door, is another one: it may only be looked at (DECISIONS X33).
"""

from datetime import date, datetime, timedelta
from uuid import UUID

from apps.common.signed_ids import SignedIds
from apps.preorders.models import PreOrder
from apps.restaurants.hosts import absolute_url

# How long after its serve day an order's link leads anywhere.
LINK_LIFE = timedelta(days=180)

_links = SignedIds("preorders.order_links")
_old_links = SignedIds("preorders.cancellation", sep=":")


def order_token(order: PreOrder) -> str:
    """What the link ends in: the order's id and our signature under it."""
    return _links.token(order.pk)


def order_path(order: PreOrder, *, then: str = "") -> str:
    """The link on its host; `then` is what follows it, such as `/calendar.ics` or `#cancel`."""
    return f"/order/{order_token(order)}{then}"


def order_url(order: PreOrder, *, then: str = "") -> str:
    """The whole link, on the restaurant's host."""
    return absolute_url(order_path(order, then=then), restaurant=order.offer.restaurant)


def cart_return_url(order: PreOrder) -> str:
    """Where the diner goes on with a line of a cart: the page that a bank leads back to."""
    path = f"/cart/return?checkout={order.cart_id}"
    return absolute_url(path, restaurant=order.offer.restaurant)


def order_of_link(token: str) -> UUID | None:
    """The order a link is for; None for one we did not make."""
    return _links.key_of(token)


def order_of_old_link(key: str) -> UUID | None:
    """The order that a link of the former page for cancelling is for; None for none of ours."""
    return _old_links.key_of(key)


def has_ended(serve_date: date, *, now: datetime) -> bool:
    """Whether a link to an order served on that day leads nowhere any more."""
    return now.date() > serve_date + LINK_LIFE
