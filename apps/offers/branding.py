"""The look of a restaurant's pages: a draft to preview, and publishing it (decision 123)."""

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from apps.activity.kinds import Kind
from apps.activity.services import record
from apps.common.versions import require_version, version_of
from apps.offers.images import photo_jpeg
from apps.offers.models import Branding, Photo
from apps.restaurants.branding import Brand, MenuLayout, brand_from, brand_of
from apps.restaurants.entitlements import Feature, require
from apps.restaurants.hosts import forget_hosts
from apps.restaurants.models import Restaurant

CHOSEN = ("accent", "footer", "hides_platform", "menu_layout")
NO_DRAFT = "none"
NAME = "Your branding"


@dataclass(frozen=True, slots=True)
class Look:
    """What an owner chose. None for a photo leaves the present one, False takes it away."""

    accent: str
    footer: str
    hides_platform: bool
    menu_layout: str = MenuLayout.LIST
    logo: Photo | bool | None = None
    cover: Photo | bool | None = None


def draft_of(restaurant: Restaurant) -> Branding | None:
    """The draft with its photos, None before there was one."""
    drafts = Branding.objects.select_related("logo", "cover")
    return drafts.filter(restaurant=restaurant, is_published=False).first()


def draft_version(row: Branding | None) -> str:
    """Another one whenever somebody has saved, published, or discarded another look."""
    if row is None:
        return NO_DRAFT
    return version_of([getattr(row, name) for name in ("logo_id", "cover_id", *CHOSEN)])


def options_of(row: Branding) -> dict[str, object]:
    """The look as the restaurant's row stores it and pages read it."""
    return {
        "accent": row.accent,
        "logo": photo_jpeg(row.logo) if row.logo else "",
        "cover": photo_jpeg(row.cover) if row.cover else "",
        "footer": row.footer,
        "hidesPlatform": row.hides_platform,
        "menuLayout": row.menu_layout,
    }


def previewed_brand(restaurant: Restaurant) -> Brand:
    """The draft's look; without a draft, what guests see."""
    row = draft_of(restaurant)
    return brand_from(options_of(row)) if row else brand_of(restaurant)


def has_changes(restaurant: Restaurant, row: Branding | None) -> bool:
    """Whether the draft differs from what is published."""
    if row is None:
        return False
    before = restaurant.branding_options
    return not before or brand_from(options_of(row)) != brand_from(before)


@transaction.atomic
def save_draft(*, restaurant: Restaurant, look: Look, version: str = "", now: datetime) -> Branding:
    """Save the draft, which only its owners see.

    `version` is the `draft_version` that the editor saw; empty for one that doesn't say. Raises
    Forbidden if the plan has no branding, and EditedMeanwhile.
    """
    require(restaurant, Feature.BRANDING)
    if look.hides_platform:
        require(restaurant, Feature.OUR_NAME_HIDDEN)
    Restaurant.objects.select_for_update(no_key=True).get(pk=restaurant.pk)
    row = draft_of(restaurant)
    require_version(version, lambda: draft_version(row), name=NAME)
    row = row or Branding(restaurant=restaurant, is_published=False)
    for name in CHOSEN:
        setattr(row, name, getattr(look, name))
    for name in ("logo", "cover"):
        chosen = getattr(look, name)
        if chosen is not None:
            setattr(row, name, chosen or None)
    row.changed_at = now
    row.save()
    return row


@transaction.atomic
def publish_branding(*, restaurant: Restaurant, version: str = "", now: datetime) -> None:
    """Publish the draft: pages and emails have it from now on. Without a draft, nothing changes.

    Raises Forbidden if the plan has no branding, and EditedMeanwhile as `save_draft`: an owner
    publishes the look that they saw.
    """
    require(restaurant, Feature.BRANDING)
    Restaurant.objects.select_for_update(no_key=True).get(pk=restaurant.pk)
    row = draft_of(restaurant)
    require_version(version, lambda: draft_version(row), name=NAME)
    if row is None:
        return
    fields = {name: getattr(row, name) for name in ("logo", "cover", *CHOSEN)}
    Branding.objects.update_or_create(
        restaurant=restaurant, is_published=True, defaults={**fields, "changed_at": now}
    )
    Restaurant.objects.filter(pk=restaurant.pk).update(
        branding_options=options_of(row), updated_at=now
    )
    record(Kind.BRANDING_PUBLISHED, restaurant=restaurant, now=now)
    transaction.on_commit(lambda: forget_hosts(restaurant))


@transaction.atomic
def discard_draft(*, restaurant: Restaurant, version: str = "") -> None:
    """Go back to what is published; to our own look if nothing is.

    Raises EditedMeanwhile as `save_draft`.
    """
    Restaurant.objects.select_for_update(no_key=True).get(pk=restaurant.pk)
    require_version(version, lambda: draft_version(draft_of(restaurant)), name=NAME)
    draft = Branding.objects.filter(restaurant=restaurant, is_published=False)
    published = Branding.objects.filter(restaurant=restaurant, is_published=True).first()
    draft.delete()
    if published:
        published.pk, published.is_published, published._state.adding = None, False, True
        published.save()
