"""The signed link to a waitlist entry; whoever has it can order the reserved portions or leave."""

from uuid import UUID

from apps.common.signed_ids import SignedIds
from apps.preorders.models import WaitingPlace
from apps.restaurants.hosts import absolute_url

_links = SignedIds("preorders.waiting_links")


def place_path(place: WaitingPlace, *, then: str = "") -> str:
    """The path of the link; `then` is appended, such as `/leave`."""
    return f"/waiting/{_links.token(place.pk)}{then}"


def place_url(place: WaitingPlace, *, then: str = "") -> str:
    """The absolute link, on the restaurant's host."""
    return absolute_url(place_path(place, then=then), restaurant=place.offer.restaurant)


def place_of_link(token: str) -> UUID | None:
    """The entry a link is for; None for one we did not sign."""
    return _links.key_of(token)
