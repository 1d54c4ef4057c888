"""The signed link to a diner's place in a line: who holds it may order what is kept, or leave."""

from uuid import UUID

from django.core.signing import BadSignature, Signer

from apps.preorders.models import WaitingPlace
from apps.restaurants.hosts import absolute_url

LONGEST_TOKEN = 120
_signer = Signer(sep=".", salt="preorders.waiting_links")


def place_path(place: WaitingPlace, *, then: str = "") -> str:
    """The link on its host; `then` is what follows it, such as `/leave`."""
    return f"/waiting/{_signer.sign(place.pk.hex)}{then}"


def place_url(place: WaitingPlace, *, then: str = "") -> str:
    """The whole link, on the restaurant's host."""
    return absolute_url(place_path(place, then=then), restaurant=place.offer.restaurant)


def place_of_link(token: str) -> UUID | None:
    """The place a link is for; None for one we did not make."""
    if len(token) > LONGEST_TOKEN:
        return None
    try:
        return UUID(_signer.unsign(token))
    except (BadSignature, ValueError):
        return None
