"""Manage the regular menu: create, edit, order, hide, and delete dishes."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Max

from apps.common import formats
from apps.common.currencies import least_charge
from apps.common.errors import Conflict, FieldError, Invalid, NotFound
from apps.common.versions import require_version, version_of
from apps.offers import images
from apps.offers.locks import lock_menu, lock_own_offer
from apps.offers.models import Dish, SpecialOffer
from apps.offers.states import UNDECIDED
from apps.offers.translations import only
from apps.offers.validation import ALTERNATIVE_TOO_CHEAP
from apps.offers.versions import SOLD_TEXTS
from apps.restaurants.models import Restaurant

MAX_DISHES = 500  # per menu; lists show all of them, without pages
UNKNOWN_DISH = "We couldn't find that dish. It may have been removed from your menu."
MENU_IS_FULL = (
    f"Your menu already has {MAX_DISHES} dishes, which is the maximum. Remove one to add another."
)
MENU_HAS_CHANGED = "Your menu was changed in the meantime. Reload the page and reorder it again."
DUPLICATE_DISH = "List each dish only once."
# What the form of a dish changes; where it stands, and whether guests see it, are other actions.
EDITED = ("name", "description", "translations", "price", "photo_id", "allergens", "dietary")


@transaction.atomic
def create_dish(*, restaurant: Restaurant, terms: Mapping[str, Any], now: datetime) -> Dish:
    """Add a dish at the end of the menu.

    `terms` are columns of `Dish`, with `image_url` in place of the photo and `hidden` in place of
    `hidden_at`. Raises Invalid for a photo that isn't the restaurant's, Conflict if the menu is
    full.
    """
    lock_menu(restaurant)
    return _append(restaurant, _columns(restaurant, terms, now=now))


def dish_by_id(*, restaurant: Restaurant, dish_id: UUID) -> Dish:
    """A dish of the menu, hidden or not. Raises NotFound."""
    dishes = Dish.objects.on_the_menu().select_related("photo", "restaurant")
    dish = dishes.filter(restaurant=restaurant, pk=dish_id).first()
    if dish is None:
        raise NotFound(UNKNOWN_DISH)
    return dish


def dish_version(dish: Dish) -> str:
    """Changes whenever somebody edits the dish."""
    return version_of([getattr(dish, name) for name in EDITED])


@transaction.atomic
def edit_dish(
    *,
    restaurant: Restaurant,
    dish_id: UUID,
    changes: Mapping[str, Any],
    version: str = "",
    now: datetime,
) -> Dish:
    """Change what `changes` names, with the keys of `create_dish`.

    `version` is the `dish_version` that the editor saw; empty for one that doesn't say. Raises
    NotFound, EditedMeanwhile if the dish has another version, and Invalid for a photo that isn't
    the restaurant's, or a price that no card can be charged while the dish is the alternative of an
    undecided special.
    """
    dish = _locked(restaurant, dish_id)
    require_version(version, lambda: dish_version(dish), name=dish.name)
    columns = _columns(restaurant, changes, now=now)
    _check_can_be_charged(restaurant, dish, columns.get("price", dish.price))
    # Hiding a hidden dish again keeps the time it was first hidden.
    if columns.get("hidden_at") and dish.hidden_at:
        del columns["hidden_at"]
    for name, value in columns.items():
        setattr(dish, name, value)
    dish.save(update_fields=list(columns))
    return dish


@transaction.atomic
def delete_dish(*, restaurant: Restaurant, dish_id: UUID, now: datetime) -> Dish:
    """Remove the dish from the menu; past specials keep referring to it.

    Raises NotFound, and Conflict while it is the alternative of an undecided special, as its
    guests were told.
    """
    dish = _locked(restaurant, dish_id)
    specials = _specials_with_alternative(restaurant, dish)
    if specials:
        raise Conflict(_alternative_of(dish.name, specials))
    dish.deleted_at = now
    dish.save(update_fields=["deleted_at"])
    return dish


@transaction.atomic
def order_dishes(*, restaurant: Restaurant, ids: Sequence[UUID]) -> None:
    """Reorder the menu. Dishes that `ids` leaves out follow in their previous order.

    Raises Invalid if an id occurs twice, Conflict if one isn't on the menu.
    """
    if len(set(ids)) < len(ids):
        raise Invalid(DUPLICATE_DISH, fields=[FieldError("ids", DUPLICATE_DISH)])
    lock_menu(restaurant)
    dishes = {dish.pk: dish for dish in Dish.objects.on_the_menu().filter(restaurant=restaurant)}
    if any(each not in dishes for each in ids):
        raise Conflict(MENU_HAS_CHANGED)
    named = set(ids)
    order = [*ids, *(each for each in dishes if each not in named)]
    moved = []
    for position, dish_id in enumerate(order, start=1):
        if dishes[dish_id].position != position:
            dishes[dish_id].position = position
            moved.append(dishes[dish_id])
    Dish.objects.bulk_update(moved, ["position"])


@transaction.atomic
def add_offer_to_menu(*, restaurant: Restaurant, offer_id: UUID) -> tuple[Dish, bool]:
    """Add the offer's dish to the regular menu at its regular price.

    Returns the dish, and whether it is new. A dish of the same name, even a hidden one, counts as
    the same dish. Raises NotFound for another restaurant's offer, Conflict if the menu is full.
    """
    offer = lock_own_offer(restaurant, offer_id, even_deleted=True)
    lock_menu(restaurant)
    menu = Dish.objects.on_the_menu().filter(restaurant=restaurant)
    same = menu.filter(name__iexact=offer.name).first()
    if same is not None:
        return same, False
    columns = {
        "name": offer.name,
        "description": offer.description,
        "translations": only(SOLD_TEXTS, offer.translations),
        "price": offer.regular_price,
        "photo": offer.photo,
        "allergens": offer.allergens,
        "dietary": offer.dietary,
    }
    return _append(restaurant, columns), True


def _append(restaurant: Restaurant, columns: Mapping[str, Any]) -> Dish:
    """Adds a dish at the end. The caller holds the menu's lock."""
    menu = Dish.objects.on_the_menu().filter(restaurant=restaurant)
    if menu.count() >= MAX_DISHES:
        raise Conflict(MENU_IS_FULL)
    last = menu.aggregate(last=Max("position"))["last"] or 0
    return Dish.objects.create(restaurant=restaurant, position=last + 1, **columns)


def _locked(restaurant: Restaurant, dish_id: UUID) -> Dish:
    dishes = Dish.objects.on_the_menu().select_related("photo").filter(restaurant=restaurant)
    dish = dishes.select_for_update(of=("self",)).filter(pk=dish_id).first()
    if dish is None:
        raise NotFound(UNKNOWN_DISH)
    return dish


def _columns(restaurant: Restaurant, terms: Mapping[str, Any], *, now: datetime) -> dict[str, Any]:
    columns = dict(terms)
    if "image_url" in columns:
        url = columns.pop("image_url")
        columns["photo"] = images.photo_from_url(restaurant, url) if url else None
    if "hidden" in columns:
        columns["hidden_at"] = now if columns.pop("hidden") else None
    return columns


def _specials_with_alternative(restaurant: Restaurant, dish: Dish) -> list[str]:
    """The names of the undecided specials whose alternative this dish is."""
    specials = SpecialOffer.objects.filter(
        restaurant=restaurant,
        alternative_dish=dish,
        has_alternative=True,
        status__in=sorted(UNDECIDED),
    )
    return list(specials.order_by("deadline", "pk").values_list("name", flat=True))


def _check_can_be_charged(restaurant: Restaurant, dish: Dish, price: Decimal) -> None:
    least = least_charge(restaurant.currency)
    if price < least.amount and _specials_with_alternative(restaurant, dish):
        message = ALTERNATIVE_TOO_CHEAP.format(least=formats.money(least, restaurant.currency))
        raise Invalid.because([FieldError("price", message)])


def _alternative_of(name: str, specials: Sequence[str]) -> str:
    first, more = specials[0], len(specials) - 1
    others = f" and {formats.count(more, 'other special')}" if more else ""
    return (
        f"{name} is the alternative for {first}{others}, so you can't delete it until "
        f"{'those specials have' if more else 'that special has'} closed. "
        "You can hide it from your menu instead."
    )
