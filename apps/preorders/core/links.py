"""The signed link to the diner's own page of an order: who holds it may change and cancel it.

It stands in every letter and needs no account. The address of the confirmation page, which a QR
code shows to a camera at the door, is another one: it may only be looked at (DECISIONS X33).
"""

from datetime import date, datetime, timedelta
from uuid import UUID

from apps.common.signed_ids import SignedIds
from apps.offers.models import SpecialOffer
from apps.preorders.models import PreOrder, WaitlistEntry
from apps.restaurants.hosts import absolute_url

# How long after its serve day an order's link leads anywhere.
ORDER_LINK_LIFETIME = timedelta(days=180)

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


def order_for_token(token: str) -> UUID | None:
    """The order a link is for; None for one we did not make."""
    return _links.key_of(token)


def order_for_old_token(key: str) -> UUID | None:
    """The order that a link of the former page for cancelling is for; None for none of ours."""
    return _old_links.key_of(key)


def has_ended(serve_date: date, *, now: datetime) -> bool:
    """Whether a link to an order served on that day leads nowhere any more."""
    return now.date() > serve_date + ORDER_LINK_LIFETIME


# The signed link to a diner's place in a line: who holds it may order what is kept, or leave.


_waitlist_links = SignedIds("preorders.waiting_links")


def waitlist_entry_path(place: WaitlistEntry, *, then: str = "") -> str:
    """The link on its host; `then` is what follows it, such as `/leave`."""
    return f"/waiting/{_waitlist_links.token(place.pk)}{then}"


def waitlist_entry_url(place: WaitlistEntry, *, then: str = "") -> str:
    """The whole link, on the restaurant's host."""
    return absolute_url(waitlist_entry_path(place, then=then), restaurant=place.offer.restaurant)


def waitlist_entry_for_token(token: str) -> UUID | None:
    """The place a link is for; None for one we did not make."""
    return _waitlist_links.key_of(token)


# The link that opens a special with the form filled in as the diner filled it in before.
#
# It stands in letters to that diner: about a checkout that was left, or a special that is back. The
# address says nothing about them; the page behind it does, so it is signed for this one special and
# leads to a plain form once that takes no orders any more.


def reorder_url(order: PreOrder, offer: SpecialOffer) -> str:
    """`offer`'s page at its form, filled in from `order`."""
    token = _reorder_links(offer.pk).token(order.pk)
    path = f"/specials/{offer.pk}?again={token}#pre-order"
    return absolute_url(path, restaurant=offer.restaurant)


def order_to_repeat(token: str, *, offer_id: UUID) -> UUID | None:
    """The order to fill in from; None for a link we did not make for this special."""
    return _reorder_links(offer_id).key_of(token)


def _reorder_links(offer_id: UUID) -> SignedIds:
    return SignedIds(f"preorders.again_links:{offer_id}")
