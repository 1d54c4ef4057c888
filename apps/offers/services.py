"""Publish, edit, and delete special offers, and store their photos."""

import uuid
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import Exists, ManyToOneRel, OuterRef, QuerySet

from apps.accounts.rate_limits import Limit
from apps.activity.kinds import Kind
from apps.activity.services import record
from apps.billing.services import count_publication
from apps.common import formats
from apps.common.currencies import least_charge
from apps.common.error_codes import ErrorCode
from apps.common.errors import Conflict, FieldError, Forbidden, Invalid
from apps.common.transitions import Cause, transition
from apps.common.versions import require_version
from apps.integrations.event_types import EventType
from apps.offers import images
from apps.offers.change_log import note_edit
from apps.offers.locks import lock_own_offer
from apps.offers.models import Dish, OfferPhoto, Photo, SpecialOffer
from apps.offers.states import ALLOWED, OfferStatus
from apps.offers.validation import (
    ALTERNATIVE_TOO_CHEAP,
    INVALID_ALTERNATIVE,
    OfferTerms,
    changes_unfair_to_guests,
    terms_version,
    validate_terms,
)
from apps.offers.webhook_events import publish_special_event
from apps.restaurants.idempotency import Attempt
from apps.restaurants.models import Restaurant
from apps.restaurants.regions import holding_period
from apps.restaurants.services.registration import require_confirmed_owner

# For each restaurant. A menu of fifty dishes is photographed in a day.
UPLOADS_PER_MINUTE = Limit("uploads", times=20, window=60)
UPLOADS_PER_DAY = Limit("uploads-a-day", times=300, window=24 * 60 * 60)
UNUSED_PHOTO_LIFE = timedelta(days=14)
STRAY_FILES_LIFE = timedelta(days=1)
NAME_FIRST = "Name your restaurant first: guests see its name beside the special."
DEADLINE_HAS_PASSED = (
    "The deadline of {name} has passed, so you can't change it. Publish it again instead."
)


@transaction.atomic
def publish_offer(
    *,
    restaurant: Restaurant,
    terms: Mapping[str, Any],
    now: datetime,
    attempt: Attempt | None = None,
) -> SpecialOffer:
    """Publish an offer. It takes orders right away if the restaurant can be paid (DECISIONS X68).

    `terms` are the fields of `OfferTerms`, with `image_url` in place of the photo. Counts toward
    the restaurant's month and fixes the fee rate. With `attempt`, an earlier attempt's offer is
    returned and nothing is counted. Raises Invalid with every error in the terms; Forbidden if the
    restaurant has no name yet, if the month's free offers are used up and the profile is
    incomplete, or if no owner's email is confirmed (DECISIONS X40).
    """
    if attempt and attempt.result_id:
        return SpecialOffer.objects.get(restaurant=restaurant, pk=attempt.result_id)
    require_confirmed_owner(restaurant)
    if not restaurant.name:
        raise Forbidden(NAME_FIRST, code=ErrorCode.PROFILE_INCOMPLETE)
    complete = OfferTerms(**_with_photo(restaurant, _without_idle_alternative(terms)))
    _check(complete, restaurant=restaurant, now=now)
    rate = count_publication(restaurant_id=restaurant.pk, now=now)
    offer = SpecialOffer.objects.create(
        restaurant=restaurant, revenue_share_rate=rate, created_at=now, **complete.columns
    )
    _store_more_photos(offer, complete)
    if attempt:
        attempt.record(offer.pk)
    about = ("special", offer.pk)
    record(Kind.SPECIAL_PUBLISHED, restaurant=offer.restaurant_id, about=about, now=now)
    publish_special_event(offer, EventType.SPECIAL_PUBLISHED, now=now)
    return offer


@transaction.atomic
def edit_offer(
    *,
    restaurant: Restaurant,
    offer_id: UUID,
    changes: Mapping[str, Any],
    version: str = "",
    now: datetime,
    by: str = "",
) -> SpecialOffer:
    """Change the terms that `changes` names, and record the edit with `by`, the editor's name.

    `version` is the `terms_version` that the editor saw; empty for one that doesn't say. Once there
    are orders, only changes in the guests' favor are allowed (DECISIONS X10). Raises NotFound;
    Invalid as `publish_offer` does; EditedMeanwhile if the terms have another version; Conflict if
    the deadline has passed or orders rule out the change.
    """
    offer = lock_own_offer(restaurant, offer_id)
    old = OfferTerms.of(offer)
    require_version(version, lambda: terms_version(offer, old.more_photos), name=offer.name)
    if offer.status != OfferStatus.ACTIVE or offer.deadline <= now:
        raise Conflict(DEADLINE_HAS_PASSED.format(name=offer.name), code=ErrorCode.DEADLINE_PASSED)
    has_orders = offer.pre_orders.reserving().exists()
    new = replace(old, **_with_photo(restaurant, _meant_changes(old, changes, has_orders)))
    _check(new, restaurant=restaurant, now=now, stored_alternative=old.alternative_dish_id)
    unfair = changes_unfair_to_guests(old, new, taken=offer.reserved_portions) if has_orders else []
    if unfair:
        raise Conflict(unfair[0].message, code=ErrorCode.HAS_ORDERS, fields=unfair)
    names = (*new.columns, "more_photos")
    changed = [name for name in names if getattr(old, name) != getattr(new, name)]
    for name, value in new.columns.items():
        setattr(offer, name, value)
    offer.save(update_fields=list(new.columns))
    if "more_photos" in changed:
        _store_more_photos(offer, new)
    note_edit(offer, old, new, by=by, now=now)
    if changed:
        about, where = ("special", offer.pk), offer.restaurant_id
        record(Kind.SPECIAL_EDITED, restaurant=where, about=about, fields=changed, now=now)
        publish_special_event(offer, EventType.SPECIAL_CHANGED, now=now)
    return offer


@transaction.atomic
def delete_offer(
    *, restaurant: Restaurant, offer_id: UUID, now: datetime, by: str = ""
) -> SpecialOffer:
    """Delete the offer; it stays in the history. `by` is the person's name.

    Raises NotFound, and Conflict (with `hasPreorders` and `offerName`) if it has orders
    (DECISIONS X16) or its deadline has passed.
    """
    offer = lock_own_offer(restaurant, offer_id)
    portions = offer.pre_orders.reserving().portions()
    if offer.status != OfferStatus.ACTIVE or offer.deadline <= now:
        refusal = f"{offer.name} has ended. It takes no more orders and stays in your history."
    elif portions:
        refusal = (
            f"{offer.name} has {_orders_for(offer, portions)}, "
            "so you can't delete it. To call it off, open it and choose “Cancel this special”: "
            "every hold is released, and every guest gets an email."
        )
    else:
        transition(
            offer,
            "status",
            OfferStatus.DELETED,
            allowed=ALLOWED,
            now=now,
            cause=Cause(actor=by),
            deleted_at=now,
        )
        about = ("special", offer.pk)
        record(Kind.SPECIAL_DELETED, restaurant=offer.restaurant_id, about=about, now=now)
        publish_special_event(offer, EventType.SPECIAL_CANCELED, now=now)
        return offer
    raise Conflict(
        refusal,
        code=ErrorCode.HAS_ORDERS if portions else ErrorCode.DEADLINE_PASSED,
        extra={"hasPreorders": portions > 0, "offerName": offer.name},
    )


def _orders_for(offer: SpecialOffer, portions: int) -> str:
    """Orders without a card yet, such as one by phone, keep a special from being deleted too."""
    kind = "pre-orders" if offer.pre_orders.counted().exists() else "orders that aren't paid yet"
    return f"{kind} for {formats.count(portions, 'portion')}"


def upload_photo(*, restaurant: Restaurant, data: bytes, field: str) -> Photo:
    """Store an uploaded picture.

    Raises Invalid, naming `field`, if it isn't a usable picture, and TooManyAttempts.
    """
    UPLOADS_PER_MINUTE.count(str(restaurant.pk))
    UPLOADS_PER_DAY.count(str(restaurant.pk))
    picture = images.read_picture(data, field=field)
    photo = Photo(
        pk=uuid.uuid4(),
        restaurant=restaurant,
        width=picture.width,
        height=picture.height,
        widths=picture.widths,
    )
    # Files first, so a row never refers to missing files.
    images.store_files(photo, picture)
    photo.save(force_insert=True)
    return photo


def unused_photos(*, now: datetime) -> QuerySet[Photo]:
    """Photos that nothing has used for two weeks.

    The form on somebody's device may still refer to a newer one.
    """
    unused = Photo.objects.filter(created_at__lt=now - UNUSED_PHOTO_LIFE)
    for relation in Photo._meta.get_fields(include_hidden=True):
        if isinstance(relation, ManyToOneRel):
            users = relation.related_model._base_manager.filter(
                **{relation.field.name: OuterRef("pk")}
            )
            unused = unused.filter(~Exists(users))
    return unused


def delete_photos(photos: Iterable[Photo]) -> int:
    """Delete photos and their files, except those that are used again; returns how many."""
    deleted = 0
    for photo in photos:
        try:
            # Not photo.delete(), which takes it away from whoever began to use it just now.
            deleted += Photo.objects.filter(pk=photo.pk)._raw_delete("default")
        except IntegrityError:
            continue
        images.delete_files(photo)
    return deleted


def delete_stray_files(now: datetime) -> int:
    """Delete the files of uploads that ended before their row was stored; returns how many uploads.

    An upload takes seconds, so files of the last day are left alone.
    """
    deleted = 0
    for restaurant_id, photo_ids in images.stored_photos():
        known = Photo.objects.filter(restaurant=restaurant_id).values_list("pk", flat=True)
        for photo_id in photo_ids - set(known):
            deleted += images.delete_folder(restaurant_id, photo_id, before=now - STRAY_FILES_LIFE)
    return deleted


def _check(
    terms: OfferTerms,
    *,
    restaurant: Restaurant,
    now: datetime,
    stored_alternative: UUID | None = None,
) -> None:
    errors = validate_terms(
        terms, now=now, zone=restaurant.zone, holding=holding_period(restaurant.country)
    )
    chosen = terms.alternative_dish_id
    # A dish chosen earlier is kept even if it has left the menu since.
    if chosen and chosen != stored_alternative and not _is_on_the_menu(restaurant, chosen):
        errors.append(FieldError("alternativeDishId", INVALID_ALTERNATIVE))
    elif chosen and terms.has_alternative and _is_too_cheap(restaurant, chosen):
        least = formats.money(least_charge(restaurant.currency), restaurant.currency)
        errors.append(FieldError("alternativeDishId", ALTERNATIVE_TOO_CHEAP.format(least=least)))
    if errors:
        raise Invalid.because(errors)


def _is_on_the_menu(restaurant: Restaurant, dish_id: UUID) -> bool:
    return Dish.objects.on_the_menu().filter(pk=dish_id, restaurant=restaurant).exists()


def _is_too_cheap(restaurant: Restaurant, dish_id: UUID) -> bool:
    least = least_charge(restaurant.currency).amount
    return Dish.objects.filter(pk=dish_id, restaurant=restaurant, price__lt=least).exists()


def _without_idle_alternative(terms: Mapping[str, Any]) -> dict[str, Any]:
    """Drops the alternative's id if the alternative is turned off."""
    stored = dict(terms)
    if not stored.get("has_alternative"):
        stored.update(has_alternative=False, alternative_dish_id=None)
    return stored


def _with_photo(restaurant: Restaurant, terms: dict[str, Any]) -> dict[str, Any]:
    """Replaces URLs of photos with the photos they refer to; empty means no photo."""
    if "image_url" in terms:
        url = terms.pop("image_url")
        terms["photo"] = images.photo_from_url(restaurant, url) if url else None
    if "more_image_urls" in terms:
        urls = dict.fromkeys(terms.pop("more_image_urls"))
        terms["more_photos"] = tuple(
            images.photo_from_url(restaurant, url, field="moreImageUrls") for url in urls
        )
    return terms


def _store_more_photos(offer: SpecialOffer, terms: OfferTerms) -> None:
    OfferPhoto.objects.filter(offer=offer).delete()
    OfferPhoto.objects.bulk_create(
        OfferPhoto(offer=offer, restaurant_id=offer.restaurant_id, photo=photo, position=position)
        for position, photo in enumerate(terms.more_photos)
    )


def _meant_changes(old: OfferTerms, changes: Mapping[str, Any], has_orders: bool) -> dict[str, Any]:
    """The changes without those that the form sent but the owner didn't make.

    A form without alternatives always sends none; once there are orders, that doesn't remove the
    alternative (DECISIONS X11). A form's deadline has no seconds, so the same minute is the same
    deadline.
    """
    meant = dict(changes)
    if "has_alternative" in meant or "alternative_dish_id" in meant:
        meant.setdefault("has_alternative", old.has_alternative)
        meant.setdefault("alternative_dish_id", old.alternative_dish_id)
        meant = _without_idle_alternative(meant)
        if has_orders and not meant["has_alternative"]:
            del meant["has_alternative"], meant["alternative_dish_id"]
    deadline = meant.get("deadline")
    if deadline and deadline == old.deadline.replace(second=0, microsecond=0):
        del meant["deadline"]
    return meant
