"""Announcing specials: a text from the facts, a way to each platform, a copy for the owner."""

import hashlib
import re
from collections.abc import Sequence
from datetime import datetime
from functools import partial
from uuid import UUID

from celery import current_app
from django.db import transaction
from kombu.exceptions import OperationalError

from apps.accounts.models import User
from apps.common.errors import Conflict, Unavailable
from apps.marketing.announcement_text import Composed, compose
from apps.marketing.models import Announcement
from apps.marketing.social_composers import Platform, Result, compose_on
from apps.offers.presentation import Special
from apps.offers.seats import SeatsState
from apps.offers.selectors import offers_for_guests
from apps.restaurants.models import Membership, Restaurant

SHOWN = 20  # of the former announcements
NO_OFFERS = "Create some special offers first, then generate your announcement message."  # T2
SOLD_OUT = "Everything you offer is sold out. Create another special, then announce it."
NO_PLATFORMS = "Set up your social media links in the Marketing section first."  # T13
NOT_SENT = "We could not send the copy just now. Try again in a minute."
NO_OWNER = "This restaurant has no owner a copy could go to. Copy the text instead."
ID_IN_LINK = re.compile(r"/specials/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})")


# --- writing it -----------------------------------------------------------------------------------
def compose_announcement(
    *, restaurant: Restaurant, offer_ids: Sequence[UUID], now: datetime
) -> Composed:
    """A text for these of the restaurant's specials, or for all that are open when none is named.

    Raises Conflict when there is nothing to announce: none is open, or all are sold out.
    """
    offers = offers_for_guests(restaurant=restaurant, now=now)
    wanted = set(offer_ids)
    specials = [Special(offer, now) for offer in offers if not wanted or offer.pk in wanted]
    if not specials:
        raise Conflict(NO_OFFERS)
    left = [special for special in specials if special.state != SeatsState.SOLD_OUT]
    if not left:
        raise Conflict(SOLD_OUT)
    return compose(restaurant, left)


# --- sending it -----------------------------------------------------------------------------------
def post_announcement(
    *,
    restaurant: Restaurant,
    message: str,
    short: str,
    platforms: Sequence[str],
    by: User,
    now: datetime,
) -> list[Result]:
    """The way to each platform's composer, and a note of what was announced where.

    No platform named means every one whose link is saved. `short` stands in for the message where
    that is too long. Raises Conflict when no link is saved at all (R150); a platform that is named
    without one is a result that says so.
    """
    profiles = profiles_of(restaurant)
    if not any(profiles.values()):
        raise Conflict(NO_PLATFORMS)
    chosen = [Platform(name) for name in dict.fromkeys(platforms)]
    chosen = chosen or [platform for platform in Platform if profiles[platform]]
    results = [
        compose_on(
            platform,
            message=short if platform == Platform.TWITTER and short else message,
            profile=profiles[platform],
        )
        for platform in chosen
    ]
    used = [str(result.platform) for result in results if result.success]
    if used:
        save_announcement(restaurant=restaurant, message=message, platforms=used, by=by, now=now)
    return results


def profiles_of(restaurant: Restaurant) -> dict[Platform, str]:
    """The restaurant's page on each platform, empty where none is saved."""
    links = restaurant.social_media_links
    return {platform: links.get(platform.value) or "" for platform in Platform}


@transaction.atomic
def save_announcement(
    *, restaurant: Restaurant, message: str, platforms: Sequence[str], by: User, now: datetime
) -> Announcement:
    """The announcement with this text, noted as used on these platforms too."""
    announcement, _ = Announcement.objects.get_or_create(
        restaurant=restaurant,
        digest=hashlib.sha256(message.encode()).hexdigest(),
        defaults={
            "message": message,
            "special_offer_ids": _linked_specials(restaurant, message),
            "created_by": by,
            "created_at": now,
        },
    )
    announcement = Announcement.objects.select_for_update(of=("self",)).get(pk=announcement.pk)
    used = list(dict.fromkeys([*announcement.platforms, *platforms]))
    if used != announcement.platforms:
        announcement.platforms = used
        announcement.save(update_fields=["platforms"])
    return announcement


def _linked_specials(restaurant: Restaurant, message: str) -> list[str]:
    """The restaurant's own specials that the text links to, in the order it does."""
    named = list(dict.fromkeys(ID_IN_LINK.findall(message)))
    own = restaurant.special_offers.filter(pk__in=named).values_list("pk", flat=True)
    known = {str(each) for each in own}
    return [each for each in named if each in known]


def announcements_of(restaurant: Restaurant) -> list[Announcement]:
    """The newest ones."""
    newest = Announcement.objects.filter(restaurant=restaurant).order_by("-created_at", "-pk")
    return list(newest[:SHOWN])


# --- the owner's copy -----------------------------------------------------------------------------
def request_copy(
    *, restaurant: Restaurant, message: str, platforms: Sequence[str], by: User, now: datetime
) -> tuple[str, bool]:
    """Have a copy sent to the owner (R151): the address, and whether it is new.

    Each announcement's copy goes out once, however often it is asked for. Raises Unavailable when
    the queue does not answer, and Conflict when the restaurant has no owner.
    """
    address = owner_address(restaurant)
    if not address:
        raise Conflict(NO_OWNER)
    with transaction.atomic():
        announcement = save_announcement(
            restaurant=restaurant, message=message, platforms=platforms, by=by, now=now
        )
        is_new = announcement.courtesy_copy_at is None
        if is_new:
            transaction.on_commit(partial(_enqueue, str(announcement.pk)))
    return address, is_new


def _enqueue(announcement_id: str) -> None:
    try:
        current_app.tasks["marketing.send_courtesy_copy"].delay(announcement_id)
    except OperationalError as error:
        raise Unavailable(NOT_SENT) from error


def owner_address(restaurant: Restaurant) -> str:
    """The e-mail of the restaurant's first owner; empty when it has none."""
    owners = Membership.objects.filter(restaurant=restaurant, role=Membership.Role.OWNER)
    return owners.order_by("pk").values_list("user__email", flat=True).first() or ""


def claim_copy(announcement_id: UUID, *, now: datetime) -> Announcement | None:
    """The announcement, for whoever comes first to send its copy; None for everybody after."""
    waiting = Announcement.objects.filter(pk=announcement_id, courtesy_copy_at=None)
    if not waiting.update(courtesy_copy_at=now):
        return None
    return Announcement.objects.select_related("restaurant").get(pk=announcement_id)


def return_copy_allowance(announcement_id: UUID) -> None:
    """It was not sent after all: somebody may try again."""
    Announcement.objects.filter(pk=announcement_id).update(courtesy_copy_at=None)
