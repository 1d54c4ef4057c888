"""Turning push on and off for a browser."""

from datetime import datetime
from typing import Any
from uuid import UUID

from apps.accounts.models import User
from apps.common.errors import Conflict, FieldError, Invalid, NotFound
from apps.common.languages import spoken
from apps.common.outbound import InvalidAddress, checked_url
from apps.offers.locks import UNKNOWN_OFFER
from apps.offers.models import SpecialOffer
from apps.offers.states import OfferStatus
from apps.preorders.core.push_keys import from_unpadded, is_push_on
from apps.preorders.models import PushSubscription
from apps.restaurants.models import Restaurant

PUSH_IS_OFF = "Notifications aren't available. Follow this special by email instead."
NOT_A_SUBSCRIPTION = "This isn't a push subscription of a browser."
OVER = "This special takes no more orders, so there's nothing more to tell you."
POINT_BYTES, SECRET_BYTES = 65, 16  # https://www.rfc-editor.org/rfc/rfc8291, section 2


def follow(
    *, restaurant: Restaurant, offer_id: UUID, endpoint: str, p256dh: str, auth: str, now: datetime
) -> None:
    """Tell this browser about one special; twice has no further effect. Raises NotFound, Invalid,
    and Conflict if push is off or the special takes no more orders."""
    offer = _offer(restaurant, offer_id)
    if offer.status != OfferStatus.ACTIVE or offer.deadline <= now:
        raise Conflict(OVER)
    _save({"offer": offer, "restaurant": restaurant}, endpoint, p256dh, auth, now=now)


def unfollow(*, restaurant: Restaurant, offer_id: UUID, endpoint: str) -> None:
    """Stop telling this browser about the special, and delete its address. Raises NotFound."""
    offer = _offer(restaurant, offer_id)
    PushSubscription.objects.filter(offer=offer, endpoint=endpoint).delete()


def turn_on(
    *, restaurant: Restaurant, user: User, endpoint: str, p256dh: str, auth: str, now: datetime
) -> None:
    """Tell this browser what the owner is emailed. Raises Invalid, and Conflict if push is off."""
    _save({"restaurant": restaurant, "user": user}, endpoint, p256dh, auth, now=now)


def turn_off(*, restaurant: Restaurant, user: User, endpoint: str) -> None:
    PushSubscription.objects.filter(restaurant=restaurant, user=user, endpoint=endpoint).delete()


def _offer(restaurant: Restaurant, offer_id: UUID) -> SpecialOffer:
    offers = SpecialOffer.objects.exclude(status=OfferStatus.DELETED)
    offer = offers.filter(restaurant=restaurant, pk=offer_id).first()
    if offer is None:
        raise NotFound(UNKNOWN_OFFER)
    return offer


def _save(whose: dict[str, Any], endpoint: str, p256dh: str, auth: str, *, now: datetime) -> None:
    if not is_push_on():
        raise Conflict(PUSH_IS_OFF)
    if not _is_usable(endpoint, p256dh, auth):
        raise Invalid.because([FieldError("endpoint", NOT_A_SUBSCRIPTION)])
    keys = {"p256dh": p256dh, "auth": auth, "language": spoken(), "created_at": now}
    PushSubscription.objects.update_or_create(**whose, endpoint=endpoint, defaults=keys)


def _is_usable(endpoint: str, p256dh: str, auth: str) -> bool:
    try:
        checked_url(endpoint)
        point, secret = from_unpadded(p256dh), from_unpadded(auth)
    except (InvalidAddress, ValueError):
        return False
    return len(point) == POINT_BYTES and point[0] == 4 and len(secret) == SECRET_BYTES
