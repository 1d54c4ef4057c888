"""The signed link to the guest's own page of an order; whoever has it can change and cancel it.

It is in every email and needs no account. The confirmation page, which the QR code opens, has a
different, read-only address (DECISIONS X33).
"""

from datetime import date, datetime, timedelta
from uuid import UUID

from apps.common.signed_ids import SignedIds
from apps.offers.models import SpecialOffer
from apps.preorders.models import PreOrder, WaitlistEntry
from apps.restaurants.hosts import absolute_url

# How long after the serve date an order's link works.
ORDER_LINK_LIFETIME = timedelta(days=180)

_links = SignedIds("preorders.order_links")


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


def order_for_token(token: str) -> UUID | None:
    """The order a link is for; None for one we did not sign."""
    return _links.key_of(token)


def has_ended(serve_date: date, *, now: datetime) -> bool:
    """Whether the links of orders served on that day have expired."""
    return now.date() > serve_date + ORDER_LINK_LIFETIME


# The signed link to a waitlist entry; whoever has it can order the reserved portions or leave.


_waitlist_links = SignedIds("preorders.waiting_links")


def waitlist_entry_path(entry: WaitlistEntry, *, then: str = "") -> str:
    """The path of the link; `then` is appended, such as `/leave`."""
    return f"/waitlist/{_waitlist_links.token(entry.pk)}{then}"


def waitlist_entry_url(entry: WaitlistEntry, *, then: str = "") -> str:
    """The absolute link, on the restaurant's host."""
    return absolute_url(waitlist_entry_path(entry, then=then), restaurant=entry.offer.restaurant)


def waitlist_entry_for_token(token: str) -> UUID | None:
    """The entry a link is for; None for one we did not sign."""
    return _waitlist_links.key_of(token)


# The link that opens a special with the form filled in from an earlier order.
#
# It is in emails to that order's guest: about an unfinished checkout or a returning special. The
# page shows the guest's details, so the link is signed for one special, and shows nothing once that
# takes no more orders.


def reorder_url(order: PreOrder, offer: SpecialOffer) -> str:
    """`offer`'s page at its form, filled in from `order`."""
    token = _reorder_links(offer.pk).token(order.pk)
    path = f"/specials/{offer.pk}?again={token}#pre-order"
    return absolute_url(path, restaurant=offer.restaurant)


def order_to_repeat(token: str, *, offer_id: UUID) -> UUID | None:
    """The order to fill in from; None for a link we did not sign for this special."""
    return _reorder_links(offer_id).key_of(token)


def _reorder_links(offer_id: UUID) -> SignedIds:
    return SignedIds(f"preorders.again_links:{offer_id}")
