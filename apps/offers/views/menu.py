"""The public menu, its preview for the restaurant's team, and the list of restaurants."""

from dataclasses import dataclass, replace
from functools import cached_property
from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from apps.accounts.models import User
from apps.billing.card_fields import asks_for_a_card
from apps.common import clock, languages, rls
from apps.common.errors import DomainError
from apps.offers.dishes_on_special import plain_name, specials_of_dishes
from apps.offers.images import PhotoSources, photo_sources
from apps.offers.models import Dish
from apps.offers.page_cache import cached_briefly
from apps.offers.presentation import Special, directions_url
from apps.offers.selectors import (
    dishes_for_owner,
    dishes_on_the_menu,
    record_for_guests,
    restaurants_with_specials,
)
from apps.offers.sold_dishes import SoldDish, as_sold
from apps.offers.storefront import open_specials, restaurant_on_show
from apps.offers.structured_data import menu_data
from apps.restaurants.hosts import absolute_url
from apps.restaurants.middleware import tenant_of
from apps.restaurants.models import Restaurant
from apps.restaurants.permissions import Permission, current_membership

SOCIAL_PLATFORMS = {"facebook": "Facebook", "instagram": "Instagram", "twitter": "Twitter"}


@dataclass(frozen=True)
class MenuDish:
    """A regular dish as the menu shows it, and the special that sells it now, if any."""

    dish: Dish
    special: Special | None = None

    @property
    def name(self) -> str:
        """In the active language, as is the description."""
        return self.dish.spoken_name

    @property
    def description(self) -> str:
        return self.dish.spoken_description

    @property
    def special_name(self) -> str:
        """The special's name beside the dish's own: what it adds to that (`Half a Tray`), or else
        all of it."""
        name = self.special.name if self.special else ""
        words, own = name.split(), len(self.name.split())
        begins = " ".join(words[:own]).rstrip(",:;–—")
        if plain_name(begins) != plain_name(self.name):
            return name
        return " ".join(words[own:]).lstrip("-–— ")

    @property
    def is_hidden(self) -> bool:
        return self.dish.hidden_at is not None

    @cached_property
    def picture(self) -> PhotoSources | None:
        return photo_sources(self.dish.photo)

    @property
    def sold(self) -> SoldDish:
        return as_sold(self.dish)

    @property
    def diet_values(self) -> tuple[str, ...]:
        """Of `offers.dietary.Diet`."""
        return self.sold.diet_values


@languages.for_guests
@require_safe
def menu_view(request: HttpRequest) -> HttpResponse:
    """The public menu; on the platform's host without `?rid=`, a list of restaurants.

    With `?preview`, the restaurant's team, signed in on the platform's host, sees the page as
    guests do, plus the hidden dishes.
    """
    if "preview" in request.GET and (previewed := _restaurant_to_preview(request)):
        return _preview(request, previewed)
    if tenant_of(request) is None and not request.GET.get("rid"):
        return _restaurants(request)
    return _cached_menu(request)


@asks_for_a_card
@cached_briefly
def _cached_menu(request: HttpRequest) -> HttpResponse:
    restaurant = restaurant_on_show(request)
    if restaurant is None:
        return render(request, "offers/no_restaurant.html", status=HTTPStatus.NOT_FOUND)
    return render(request, "offers/menu.html", menu_context(restaurant))


def introduction(restaurant: Restaurant) -> str:
    """What the menu says about the restaurant, in Spanish where that is the active language and the
    restaurant has written it."""
    in_spanish = languages.spoken() == "es" and restaurant.spanish_description
    return in_spanish or restaurant.description


def menu_context(restaurant: Restaurant) -> dict[str, Any]:
    """What the public menu shows to guests."""
    with rls.acting_as(restaurant):
        dishes = [MenuDish(dish) for dish in dishes_on_the_menu(restaurant=restaurant)]
    return _context(restaurant, dishes)


@never_cache
def _preview(request: HttpRequest, restaurant: Restaurant) -> HttpResponse:
    with rls.acting_as(restaurant):
        dishes = [MenuDish(dish) for dish in dishes_for_owner(restaurant=restaurant)]
    context = {**_context(restaurant, dishes), "is_preview": True}
    return render(request, "offers/menu.html", context)


def _restaurant_to_preview(request: HttpRequest) -> Restaurant | None:
    """The restaurant the visitor works for, if they may see its specials. None on a restaurant's
    host, where nobody is signed in because cookies are host-only."""
    if not isinstance(request.user, User) or tenant_of(request) is not None:
        return None
    try:
        membership = current_membership(request, request.user)
    except DomainError:
        return None
    return membership.restaurant if membership.can(Permission.SEE_OFFERS) else None


def _context(restaurant: Restaurant, dishes: list[MenuDish]) -> dict[str, Any]:
    specials = open_specials(restaurant, clock.now())
    on_special = specials_of_dishes([each.dish for each in dishes], specials)
    dishes = [
        replace(each, special=special) for each, special in zip(dishes, on_special, strict=True)
    ]
    shown = [dish.dish for dish in dishes if not dish.is_hidden]
    address = absolute_url("/patron", restaurant=restaurant)
    return {
        "restaurant": restaurant,
        "introduction": introduction(restaurant),
        "specials": specials,
        "record": record_for_guests(restaurant),
        "dishes": dishes,
        "has_pictures": any(dish.picture for dish in dishes),
        "lists_all_allergens": all(dish.sold.contains for dish in dishes),
        "canonical_url": address,
        "directions_url": directions_url(restaurant),
        "social_links": [
            (name, restaurant.social_media_links[key])
            for key, name in SOCIAL_PLATFORMS.items()
            if restaurant.social_media_links.get(key)
        ],
        "owner_login_url": absolute_url("/restaurant/landing"),
        "structured_data": menu_data(restaurant, specials, shown),
    }


@cached_briefly
def _restaurants(request: HttpRequest) -> HttpResponse:
    restaurants = restaurants_with_specials(now=clock.now())
    on_show = [
        {"restaurant": each, "url": absolute_url("/patron", restaurant=each)}
        for each in restaurants
    ]
    return render(request, "offers/restaurants.html", {"on_show": on_show})
