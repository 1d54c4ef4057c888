"""Announcements of specials: compose the text, open each platform's composer, email a copy."""

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
from apps.common.languages import ENGLISH
from apps.marketing.announcement_text import Composed, Tone
from apps.marketing.announcement_writer import write_announcement
from apps.marketing.models import Announcement
from apps.marketing.social_composers import Platform, Result, compose_on
from apps.offers.models import SpecialOffer
from apps.offers.presentation import Special
from apps.offers.seats import SeatsState
from apps.offers.selectors import offers_for_guests
from apps.restaurants.models import Membership, Restaurant

MAX_PAST_ANNOUNCEMENTS = 20  # shown, newest first
MAX_PICTURED = 20  # specials whose pictures are offered
NO_OFFERS = "Create some special offers first, then generate your announcement message."
SOLD_OUT = "All your specials are sold out. Create another one, then announce it."
NO_PLATFORMS = "Set up your social media links in the Marketing section first."
COPY_NOT_SENT = "We couldn't send the copy right now. Try again in a minute."
NO_OWNER = "This restaurant has no owner to email a copy to. Copy the text instead."
SPECIAL_ID_IN_LINK = re.compile(r"/specials/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})")


# --- compose --------------------------------------------------------------------------------------
def compose_announcement(
    *,
    restaurant: Restaurant,
    offer_ids: Sequence[UUID],
    tone: str = Tone.FRIENDLY,
    language: str = ENGLISH,
    now: datetime,
) -> Composed:
    """Compose a text for the specials in `offer_ids`, or for all open ones if it is empty.

    Raises Conflict if none of them is open or all are sold out.
    """
    offers = offers_for_guests(restaurant=restaurant, now=now)
    wanted = set(offer_ids)
    specials = [Special(offer, now) for offer in offers if not wanted or offer.pk in wanted]
    if not specials:
        raise Conflict(NO_OFFERS)
    left = [special for special in specials if special.state != SeatsState.SOLD_OUT]
    if not left:
        raise Conflict(SOLD_OUT)
    return write_announcement(restaurant, left, tone=tone, language=language)


# --- publish --------------------------------------------------------------------------------------
def post_announcement(
    *,
    restaurant: Restaurant,
    message: str,
    short: str,
    platforms: Sequence[str],
    by: User,
    now: datetime,
) -> list[Result]:
    """Prepare each platform's composer with the text, and record what was announced where.

    Without `platforms`, all platforms with a saved link are used. `short` replaces the message on
    Twitter. Raises Conflict if no link is saved at all; a requested platform without a link gets a
    result that says so.
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
    """URL of the restaurant's page on each platform, empty if none is saved."""
    links = restaurant.social_media_links
    return {platform: links.get(platform.value) or "" for platform in Platform}


@transaction.atomic
def save_announcement(
    *, restaurant: Restaurant, message: str, platforms: Sequence[str], by: User, now: datetime
) -> Announcement:
    """Get or create the announcement with this text, and record that these platforms were used."""
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
    """Ids of the restaurant's own specials that the text links to, in order."""
    named = list(dict.fromkeys(SPECIAL_ID_IN_LINK.findall(message)))
    own = restaurant.special_offers.filter(pk__in=named).values_list("pk", flat=True)
    known = {str(each) for each in own}
    return [each for each in named if each in known]


def announcements_of(restaurant: Restaurant) -> list[Announcement]:
    """The restaurant's latest announcements, newest first."""
    newest = Announcement.objects.filter(restaurant=restaurant).order_by("-created_at", "-pk")
    return list(newest[:MAX_PAST_ANNOUNCEMENTS])


def pictured_specials(restaurant: Restaurant, *, now: datetime) -> list[SpecialOffer]:
    """The open specials' ids and names, next deadline first."""
    found = SpecialOffer.objects.open(now).filter(restaurant=restaurant)
    return list(found.only("pk", "name").order_by("deadline", "pk")[:MAX_PICTURED])


# --- the owner's copy -----------------------------------------------------------------------------
def request_copy(
    *, restaurant: Restaurant, message: str, platforms: Sequence[str], by: User, now: datetime
) -> tuple[str, bool]:
    """Email the owner a copy. Returns the owner's address, and whether this call queued the email.

    Each announcement is copied only once. Raises Unavailable if the task queue can't be reached,
    and Conflict if the restaurant has no owner.
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
            transaction.on_commit(partial(_queue_copy, str(announcement.pk)))
    return address, is_new


def _queue_copy(announcement_id: str) -> None:
    try:
        current_app.tasks["marketing.send_courtesy_copy"].delay(announcement_id)
    except OperationalError as error:
        raise Unavailable(COPY_NOT_SENT) from error


def owner_address(restaurant: Restaurant) -> str:
    """Email address of the restaurant's first owner; empty if it has none."""
    owners = Membership.objects.filter(restaurant=restaurant, role=Membership.Role.OWNER)
    return owners.order_by("pk").values_list("user__email", flat=True).first() or ""


def claim_copy(announcement_id: UUID, *, now: datetime) -> Announcement | None:
    """Claim the sending of the copy: the announcement for the first caller, None for later ones."""
    waiting = Announcement.objects.filter(pk=announcement_id, courtesy_copy_at=None)
    if not waiting.update(courtesy_copy_at=now):
        return None
    return Announcement.objects.select_related("restaurant").get(pk=announcement_id)


def return_copy_allowance(announcement_id: UUID) -> None:
    """Undo the claim after a failed send, so the copy can be sent again."""
    Announcement.objects.filter(pk=announcement_id).update(courtesy_copy_at=None)
