"""The link that opens a special with the form filled in as the diner filled it in before.

It stands in letters to that diner: about a checkout that was left, or a special that is back. The
address says nothing about them; the page behind it does, so it is signed for this one special and
leads to a plain form once that takes no orders any more.
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
    """The order to fill in from; None for a link we did not make for this special."""
    return _links(offer_id).key_of(token)


def _links(offer_id: UUID) -> SignedIds:
    return SignedIds(f"preorders.again_links:{offer_id}")
