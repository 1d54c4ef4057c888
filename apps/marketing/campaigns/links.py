"""The links of an invitation: signed, on the restaurant's own host, and leading only there."""

from uuid import UUID

from apps.common.signed_ids import SignedIds
from apps.marketing.models import EmailInvitation
from apps.restaurants.hosts import absolute_url

_keys = SignedIds("marketing.invitation")


def click_url(invitation: EmailInvitation) -> str:
    """The button's link: it notes the click and redirects to `destination`."""
    return absolute_url(f"/e/{_keys.token(invitation.pk)}", restaurant=invitation.restaurant)


def open_url(invitation: EmailInvitation) -> str:
    """The picture that notes that the email was opened."""
    return f"{click_url(invitation)}/open.gif"


def destination(invitation: EmailInvitation) -> str:
    """Where the button leads: the special's page, else the list of specials."""
    offer = invitation.special_offer_id
    path = f"/specials/{offer}" if offer else "/specials"
    return absolute_url(path, restaurant=invitation.restaurant)


def invitation_id_of(token: str) -> UUID | None:
    """The invitation in a link; None for one that isn't ours."""
    return _keys.key_of(token)
