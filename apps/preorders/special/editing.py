"""Editing a special or a dish of the menu, and telling the guests who ordered it (decision 49).

`preview_edit` and `preview_dish_edit` say beforehand how many guests that is; they write nothing.
"""

from collections.abc import Mapping
from copy import copy
from datetime import datetime, timedelta
from typing import Any, TypeVar
from uuid import UUID

from django.db import transaction

from apps.common import formats
from apps.common.errors import Conflict, NotFound
from apps.offers import menu, services
from apps.offers.locks import UNKNOWN_OFFER, lock_offers, lock_own_offer
from apps.offers.models import Dish, OfferChange, SpecialOffer
from apps.offers.sold_dishes import SoldDish, as_sold, dish_now
from apps.offers.states import UNDECIDED
from apps.preorders.core.dish_changes import orders_that_differ, queue_dish_changed_emails
from apps.restaurants.models import Restaurant

# Guests need this long before the deadline to read of a change and cancel.
CHANGE_NOTICE = timedelta(hours=1)
TOO_LATE_TO_CHANGE = (
    "{guests} ordered this dish as it was, and the deadline is too near for them to cancel. Extend "
    "the deadline first. You can always add an allergen or remove a dietary tag."
)
Row = TypeVar("Row", SpecialOffer, Dish)
PROMISED = ("name", "description", "allergens", "dietary")


@transaction.atomic
def edit_special(
    *,
    restaurant: Restaurant,
    offer_id: UUID,
    changes: Mapping[str, Any],
    version: str = "",
    now: datetime,
    by: str = "",
) -> SpecialOffer:
    """`offers.services.edit_offer`; guests who ordered are told if the dish, its allergens or its
    dietary tags changed, and can cancel for free until the deadline.

    Also raises Conflict if that is less than an hour away and the change is more than a warning.
    """
    before = dish_now(lock_own_offer(restaurant, offer_id))
    offer = services.edit_offer(
        restaurant=restaurant,
        offer_id=offer_id,
        changes=changes,
        version=version,
        now=now,
        by=by,
    )
    after = dish_now(offer)
    if not before.differs_from(after):
        return offer
    notified = queue_dish_changed_emails(offer, now=now)
    _check_notice(offer, before, after, notified, now)
    if notified:
        latest = OfferChange.objects.filter(offer=offer).order_by("-pk").values("pk")[:1]
        OfferChange.objects.filter(pk__in=latest).update(guests_told=notified)
    return offer


def preview_edit(*, restaurant: Restaurant, offer_id: UUID, changes: Mapping[str, Any]) -> int:
    """How many guests `edit_special` would tell. Raises NotFound."""
    offers = SpecialOffer.objects.select_related("restaurant", "alternative_dish")
    offer = offers.filter(restaurant=restaurant, pk=offer_id).first()
    if offer is None:
        raise NotFound(UNKNOWN_OFFER)
    tried = _with_changes(offer, changes)
    if not dish_now(offer).differs_from(dish_now(tried)):
        return 0
    return len(orders_that_differ(tried))


@transaction.atomic
def edit_menu_dish(
    *,
    restaurant: Restaurant,
    dish_id: UUID,
    changes: Mapping[str, Any],
    version: str = "",
    now: datetime,
    by: str = "",
) -> Dish:
    """`offers.menu.edit_dish`; guests who chose the dish as their alternative are told if it
    changed. Raises as that does."""
    offers = lock_offers(_offers_with(restaurant, dish_id).values_list("pk", flat=True))
    before = Dish.objects.filter(restaurant=restaurant, pk=dish_id).first()
    dish = menu.edit_dish(
        restaurant=restaurant, dish_id=dish_id, changes=changes, version=version, now=now
    )
    if before is None or not as_sold(before).differs_from(as_sold(dish)):
        return dish
    for offer in offers:
        offer.alternative_dish = dish
        notified = queue_dish_changed_emails(offer, now=now)
        OfferChange.objects.create(
            offer=offer,
            restaurant_id=offer.restaurant_id,
            kind=OfferChange.Kind.EDITED,
            detail=f"Alternative changed: {dish.name}"[:300],
            guests_told=notified,
            by=by[:100],
            at=now,
        )
    return dish


def preview_dish_edit(*, restaurant: Restaurant, dish_id: UUID, changes: Mapping[str, Any]) -> int:
    """How many guests `edit_menu_dish` would tell. Raises NotFound."""
    dish = menu.dish_by_id(restaurant=restaurant, dish_id=dish_id)
    tried = _with_changes(dish, changes)
    if not as_sold(dish).differs_from(as_sold(tried)):
        return 0
    notified = 0
    for offer in _offers_with(restaurant, dish_id).select_related("restaurant"):
        offer.alternative_dish = tried
        notified += len(orders_that_differ(offer))
    return notified


def _check_notice(
    offer: SpecialOffer, before: SoldDish, after: SoldDish, notified: int, now: datetime
) -> None:
    late = now > offer.deadline - CHANGE_NOTICE
    if notified and late and not after.only_warns_beside(before):
        raise Conflict(TOO_LATE_TO_CHANGE.format(guests=formats.count(notified, "guest")))


def _offers_with(restaurant: Restaurant, dish_id: UUID) -> Any:
    """Undecided specials with this alternative."""
    return SpecialOffer.objects.filter(
        restaurant=restaurant,
        alternative_dish=dish_id,
        has_alternative=True,
        status__in=sorted(UNDECIDED),
    )


def _with_changes(row: Row, changes: Mapping[str, Any]) -> Row:
    tried = copy(row)
    for name in PROMISED:
        if name in changes:
            setattr(tried, name, changes[name])
    return tried
