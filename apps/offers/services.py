"""Publishing, changing and deleting special offers, and keeping their pictures."""

import hashlib
import json
import uuid
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from apps.billing.services import count_publication
from apps.common import formats
from apps.common.errors import Conflict, FieldError, Invalid
from apps.common.transitions import transition
from apps.offers import images
from apps.offers.change_log import note_edit
from apps.offers.locks import lock_own_offer
from apps.offers.models import Dish, Photo, SpecialOffer
from apps.offers.states import ALLOWED, OfferStatus
from apps.offers.validation import (
    INVALID_ALTERNATIVE,
    OfferTerms,
    changes_unfair_to_guests,
    validate_terms,
)
from apps.restaurants.models import Restaurant
from apps.restaurants.services.registration import require_confirmed_owner

IS_PUBLISHED = (
    "This form has already published {name}. Change it in your list, or publish again to make "
    "a second special of what stands here."
)
IS_DELETED = "{name} was published and deleted since. Publish again to bring it back."
IS_OVER = "The deadline of {name} has passed, so it can no longer be changed. Publish it anew."


@transaction.atomic
def publish_offer(
    *, restaurant: Restaurant, terms: Mapping[str, Any], now: datetime, key: str = ""
) -> SpecialOffer:
    """A new offer, open for pre-orders at once where payments are ready (DECISIONS X68).

    `terms` are the fields of `OfferTerms`, with `image_url` for the photo. Counts the publication
    in the restaurant's month and fixes the fee rate. `key` names one press of a form: the same key
    with the same terms answers the offer it made the first time and counts nothing. Raises Invalid
    with every fault of the terms, Conflict when the key came with other terms before or its offer
    was deleted, and Forbidden when the month's free offers are used up and the profile is
    incomplete, or no owner's e-mail is confirmed (DECISIONS X40).
    """
    digest = _digest(terms) if key else ""
    if key:
        # The lock that counting the publication takes: of two presses at once the second one
        # comes to look when the first is done.
        Restaurant.objects.select_for_update(no_key=True).get(pk=restaurant.pk)
        earlier = SpecialOffer.objects.filter(restaurant=restaurant, publish_key=key).first()
        if earlier:
            return _published_before(earlier, digest)
    require_confirmed_owner(restaurant)
    complete = OfferTerms(**_with_photo(restaurant, _without_idle_alternative(terms)))
    _check(complete, restaurant=restaurant, now=now)
    rate = count_publication(restaurant_id=restaurant.pk, now=now)
    return SpecialOffer.objects.create(
        restaurant=restaurant,
        revenue_share_rate=rate,
        created_at=now,
        publish_key=key,
        publish_digest=digest,
        **_columns(complete),
    )


@transaction.atomic
def edit_offer(
    *,
    restaurant: Restaurant,
    offer_id: UUID,
    changes: Mapping[str, Any],
    now: datetime,
    by: str = "",
) -> SpecialOffer:
    """Change the offer's terms; what `changes` does not name stays. Its history says what was
    changed, and `by` whom.

    With orders taking part only what favours the people who ordered (DECISIONS X10). Raises
    NotFound, Invalid as `publish_offer` does, and Conflict when the deadline has passed or orders
    stand against the change.
    """
    offer = lock_own_offer(restaurant, offer_id)
    if offer.status != OfferStatus.ACTIVE or offer.deadline <= now:
        raise Conflict(IS_OVER.format(name=offer.name))
    old = OfferTerms.of(offer)
    has_orders = offer.pre_orders.reserving().exists()
    new = replace(old, **_with_photo(restaurant, _meant_changes(old, changes, has_orders)))
    _check(new, restaurant=restaurant, now=now, stored_alternative=old.alternative_dish_id)
    unfair = changes_unfair_to_guests(old, new, taken=offer.reserved_portions) if has_orders else []
    if unfair:
        raise Conflict(unfair[0].message, fields=unfair)
    columns = _columns(new)
    for name, value in columns.items():
        setattr(offer, name, value)
    offer.save(update_fields=list(columns))
    note_edit(offer, old, new, by=by, now=now)
    return offer


@transaction.atomic
def delete_offer(
    *, restaurant: Restaurant, offer_id: UUID, now: datetime, by: str = ""
) -> SpecialOffer:
    """Take the offer down; it stays in the history.

    Raises NotFound, and Conflict (with the contract's `hasPreorders` and `offerName`) when orders
    take part in it (DECISIONS X16) or its deadline has passed.
    """
    offer = lock_own_offer(restaurant, offer_id)
    portions = offer.pre_orders.reserving().portions()
    if offer.status != OfferStatus.ACTIVE or offer.deadline <= now:
        refusal = f"{offer.name} has ended and stays in your history; it takes no more orders."
    elif portions:
        refusal = (
            f"{offer.name} has pre-orders for {formats.count(portions, 'portion')}, "
            "so it cannot be deleted. It is decided at its deadline; until then you may edit it."
        )
    else:
        transition(
            offer,
            "status",
            OfferStatus.DELETED,
            allowed=ALLOWED,
            now=now,
            reason=f"deleted by {by}" if by else "deleted",
            deleted_at=now,
        )
        return offer
    raise Conflict(refusal, extra={"hasPreorders": portions > 0, "offerName": offer.name})


def upload_photo(*, restaurant: Restaurant, data: bytes, field: str) -> Photo:
    """Keep an uploaded picture. Raises Invalid, naming `field`, for what is not one."""
    picture = images.read_picture(data, field=field)
    photo = Photo(
        pk=uuid.uuid4(),
        restaurant=restaurant,
        width=picture.width,
        height=picture.height,
        widths=picture.widths,
        has_avif=True,
    )
    # The files first: a row never leads to a picture that is not there.
    images.store_files(photo, picture)
    photo.save(force_insert=True)
    return photo


def _digest(terms: Mapping[str, Any]) -> str:
    said = json.dumps(terms, default=str, sort_keys=True)
    return hashlib.sha256(said.encode()).hexdigest()


def _published_before(earlier: SpecialOffer, digest: str) -> SpecialOffer:
    """What a repeated press made the first time; Conflict where it cannot stand for this one."""
    if earlier.publish_digest != digest:
        raise Conflict(IS_PUBLISHED.format(name=earlier.name))
    if earlier.status == OfferStatus.DELETED:
        raise Conflict(IS_DELETED.format(name=earlier.name))
    return earlier


def _check(
    terms: OfferTerms,
    *,
    restaurant: Restaurant,
    now: datetime,
    stored_alternative: UUID | None = None,
) -> None:
    faults = validate_terms(terms, now=now, zone=restaurant.zone)
    chosen = terms.alternative_dish_id
    # A dish chosen earlier stays, even when it has left the menu since.
    if chosen and chosen != stored_alternative and not _is_on_the_menu(restaurant, chosen):
        faults.append(FieldError("alternativeDishId", INVALID_ALTERNATIVE))
    if faults:
        raise Invalid.because(faults)


def _is_on_the_menu(restaurant: Restaurant, dish_id: UUID) -> bool:
    return Dish.objects.on_the_menu().filter(pk=dish_id, restaurant=restaurant).exists()


def _without_idle_alternative(terms: Mapping[str, Any]) -> dict[str, Any]:
    """The dish belongs to the switch: an id without it means nothing (V9)."""
    kept = dict(terms)
    if not kept.get("has_alternative"):
        kept.update(has_alternative=False, alternative_dish_id=None)
    return kept


def _with_photo(restaurant: Restaurant, terms: dict[str, Any]) -> dict[str, Any]:
    """`image_url` turned into the photo it leads to; empty means no picture."""
    if "image_url" in terms:
        url = terms.pop("image_url")
        terms["photo"] = images.photo_from_url(restaurant, url) if url else None
    return terms


def _meant_changes(old: OfferTerms, changes: Mapping[str, Any], has_orders: bool) -> dict[str, Any]:
    """What the form meant, where what it sent says more.

    A form that knows no alternatives always sends none: with orders taking part that is not taken
    for a wish to remove it (DECISIONS X11). A form's deadline has no seconds, so the same minute is
    the same deadline.
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


def _columns(terms: OfferTerms) -> dict[str, Any]:
    return {name: getattr(terms, name) for name in OfferTerms.__slots__}
