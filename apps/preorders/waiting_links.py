"""The signed link to a diner's place in a line: who holds it may order what is kept, or leave."""

from uuid import UUID

from apps.common.signed_ids import SignedIds
from apps.preorders.models import WaitingPlace
from apps.restaurants.hosts import absolute_url

_links = SignedIds("preorders.waiting_links")


def place_path(place: WaitingPlace, *, then: str = "") -> str:
    """The link on its host; `then` is what follows it, such as `/leave`."""
    return f"/waiting/{_links.token(place.pk)}{then}"


def place_url(place: WaitingPlace, *, then: str = "") -> str:
    """The whole link, on the restaurant's host."""
    return absolute_url(place_path(place, then=then), restaurant=place.offer.restaurant)


def place_of_link(token: str) -> UUID | None:
    """The place a link is for; None for one we did not make."""
    return _links.key_of(token)
