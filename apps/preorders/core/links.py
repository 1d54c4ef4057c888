"""The signed links to a guest's order, waitlist entry and filled-in order form (decision 55).

An order's link needs no account. It shows the order and nothing personal, so it can be passed on;
changing the order needs an access on top, which the links in emails carry (`core.access`). The
confirmation page, which the QR code opens, has a different address (DECISIONS X33).
"""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import F

from apps.common.signed_ids import SignedIds, signed_text
from apps.common.signing import signer
from apps.common.transitions import Cause
from apps.offers.models import SpecialOffer
from apps.preorders.core.locks import lock_cart_items
from apps.preorders.models import PreOrder, PreOrderTransition, WaitlistEntry
from apps.restaurants.hosts import absolute_url

_ORDERS = "preorders.order_links"
# How long after the serve date an order's link works.
ORDER_LINK_LIFETIME = timedelta(days=180)
# How long a link to an order form is filled in with the guest's name and address.
REORDER_DETAILS_LIFETIME = timedelta(hours=24)


@dataclass(frozen=True, slots=True)
class OrderLink:
    """What an order's token says. A revoked link names an earlier `revision`."""

    order_id: UUID
    revision: int

    def is_current(self, order: PreOrder) -> bool:
        return (self.order_id, self.revision) == (order.pk, order.link_revision)


def order_token(order: PreOrder) -> str:
    """The end of the link: the order's id and the link's revision, signed."""
    return signer(_ORDERS).sign(f"{order.pk.hex}-{order.link_revision}")


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


def card_url(order: PreOrder) -> str:
    """Where the card of an order in checkout is given: on our own page for a cart, else on the
    payment provider's, whose address is empty until it is opened."""
    return cart_return_url(order) if order.cart_id else order.checkout_url


def order_for_token(token: str) -> OrderLink | None:
    """The order a link is for; None for one we did not sign. Whether it was revoked,
    `OrderLink.is_current` says."""
    named = signed_text(_ORDERS, token)
    key, _, revision = named.partition("-")
    try:
        return OrderLink(UUID(key), int(revision))
    except ValueError:
        return None


@transaction.atomic
def revoke_order_link(order: PreOrder, *, by: str, now: datetime) -> None:
    """End every link and access of the order so far; new emails have a new link. So do those of its
    cart's other orders, whose pages lead to this one (decision 148).

    `by` is the team member or `GUEST`, for the order's activity.
    """
    revoked = [order.pk]
    if order.cart_id:
        revoked = [each.pk for each in lock_cart_items(order.cart_id)]
    PreOrder.objects.filter(pk__in=revoked).update(link_revision=F("link_revision") + 1)
    order.refresh_from_db(fields=["link_revision"])
    for order_id in revoked:
        PreOrderTransition.objects.create(
            restaurant_id=order.restaurant_id,
            pre_order_id=order_id,
            field="link",
            new="revoked",
            at=now,
            **Cause(actor=by).columns,
        )


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
# It is in emails to that order's guest, about an unfinished checkout or a returning special, and on
# the order's page for who may change it. It is signed for one special, fills in nothing once that
# takes no more orders, and for a day also the guest's own details.


@dataclass(frozen=True, slots=True)
class Reorder:
    """The order to fill in from; `with_details`: the guest's name, address, and note too."""

    order_id: UUID
    revision: int
    with_details: bool


def reorder_url(order: PreOrder, offer: SpecialOffer, *, now: datetime) -> str:
    """`offer`'s page at its form, filled in from `order`."""
    until = int((now + REORDER_DETAILS_LIFETIME).timestamp())
    token = signer(_reorders(offer.pk)).sign(f"{order.pk.hex}-{order.link_revision}-{until}")
    path = f"/specials/{offer.pk}?again={token}#pre-order"
    return absolute_url(path, restaurant=offer.restaurant)


def order_to_repeat(token: str, *, offer_id: UUID, now: datetime) -> Reorder | None:
    """What to fill in from; None for a link we did not sign for this special."""
    facts = signed_text(_reorders(offer_id), token).split("-")
    if len(facts) != 3:
        return None
    return Reorder(UUID(facts[0]), int(facts[1]), now.timestamp() < int(facts[2]))


def _reorders(offer_id: UUID) -> str:
    return f"preorders.again_links:{offer_id}"
