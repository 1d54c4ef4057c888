"""The link that opens a special with the form filled in from an earlier order.

It is in emails to that order's guest: about an unfinished checkout or a returning special. The page
shows the guest's details, so the link is signed for one special, and shows nothing once that takes
no more orders.
"""

from uuid import UUID

from apps.common.signed_ids import SignedIds
from apps.offers.models import SpecialOffer
from apps.preorders.models import PreOrder
from apps.restaurants.hosts import absolute_url


def again_url(order: PreOrder, offer: SpecialOffer) -> str:
    """`offer`'s page at its form, filled in from `order`."""
    token = _links(offer.pk).token(order.pk)
    path = f"/specials/{offer.pk}?again={token}#pre-order"
    return absolute_url(path, restaurant=offer.restaurant)


def order_to_repeat(token: str, *, offer_id: UUID) -> UUID | None:
    """The order to fill in from; None for a link we did not sign for this special."""
    return _links(offer_id).key_of(token)


def _links(offer_id: UUID) -> SignedIds:
    return SignedIds(f"preorders.again_links:{offer_id}")
