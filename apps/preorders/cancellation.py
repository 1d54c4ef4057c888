"""The link by which a diner cancels an order whose terms have moved (decision 18).

It leads to a page that asks once more. Who holds it may cancel, so it is signed, unlike the address
of the order's own page, which may only be looked at (DECISIONS X33).
"""

from uuid import UUID

from django.core.signing import BadSignature, Signer

from apps.preorders.models import PreOrder
from apps.restaurants.hosts import absolute_url

PATH = "/cancel-pre-order"
_signer = Signer(salt="preorders.cancellation")


def cancellation_url(order: PreOrder) -> str:
    """Where the order can be cancelled until its offer's deadline."""
    path = f"{PATH}?order={_signer.sign(str(order.pk))}"
    return absolute_url(path, restaurant=order.offer.restaurant)


def order_to_cancel(token: str) -> UUID | None:
    """The order a link is for; None for one we did not make."""
    try:
        return UUID(_signer.unsign(token))
    except (BadSignature, ValueError):
        return None
