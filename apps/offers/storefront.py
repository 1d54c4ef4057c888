"""Reads for the public pages, each with a constant number of queries.

Each function acts as the restaurant it reads from, whichever host the request came to.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from django.http import HttpRequest

from apps.common import rls
from apps.common.views import RestaurantClosed
from apps.offers.models import SpecialOffer
from apps.offers.pickup_slots import full_at_every_time
from apps.offers.presentation import Special
from apps.offers.seats import SeatsState
from apps.offers.selectors import offer_for_display, offers_for_guests, restaurant_of_offer
from apps.restaurants.middleware import tenant_of
from apps.restaurants.models import Restaurant
from apps.restaurants.selectors import restaurant_by_id

MAX_NEXT_SPECIALS = 2


def restaurant_on_show(request: HttpRequest) -> Restaurant | None:
    """The host's restaurant, otherwise the one that `?rid=` names, otherwise None.

    Raises RestaurantClosed if the named one is suspended or closed; its host says so by itself.
    """
    restaurant = tenant_of(request)
    if restaurant is not None:
        return restaurant
    return _open(restaurant_by_id(request.GET.get("rid", "")))


def restaurant_of_special(request: HttpRequest, special_id: UUID) -> Restaurant | None:
    """The host's restaurant; on the platform's host, the special's.

    Raises RestaurantClosed if that one is suspended or closed.
    """
    restaurant = tenant_of(request)
    if restaurant is not None:
        return restaurant
    with rls.acting_as(rls.PLATFORM):
        owner = restaurant_of_offer(special_id)
    return _open(owner)


def _open(restaurant: Restaurant | None) -> Restaurant | None:
    if restaurant is not None and restaurant.status != Restaurant.Status.ACTIVE:
        raise RestaurantClosed(restaurant)
    return restaurant


def open_specials(restaurant: Restaurant, now: datetime) -> list[Special]:
    """The restaurant's open specials, next deadline first; those that are sold out, or full at
    every pickup time, come last."""
    with rls.acting_as(restaurant):
        offers = offers_for_guests(restaurant=restaurant, now=now)
        shown = with_times(offers, now)
    return sorted(shown, key=lambda each: each.are_times_full or each.state == SeatsState.SOLD_OUT)


def with_times(offers: Iterable[SpecialOffer], now: datetime) -> list[Special]:
    """The offers as they can be ordered now, their pickup times included. The caller acts as their
    restaurant, or as the platform."""
    specials = [Special(offer, now) for offer in offers]
    full = full_at_every_time(each.offer for each in specials if each.takes_orders)
    return [replace(each, are_times_full=each.offer.pk in full) for each in specials]


def takes_orders(offer: SpecialOffer, now: datetime) -> bool:
    """Whether guests can order it, at some pickup time if it has any. Acts as `with_times` does."""
    return with_times([offer], now)[0].takes_orders


def next_specials(found: Iterable[Special], *, without: Sequence[SpecialOffer]) -> list[Special]:
    """Of these, the next two that take orders, for whoever can't order a special, or has ordered
    it: no other date of the same dish either, because they read that they won't get it, or that
    they do."""
    others = [
        each
        for each in found
        if each.takes_orders and not any(_is_same_dish(each.offer, other) for other in without)
    ]
    return others[:MAX_NEXT_SPECIALS]


def _is_same_dish(offer: SpecialOffer, other: SpecialOffer) -> bool:
    return offer.pk == other.pk or offer.name.casefold() == other.name.casefold()


def special_on_show(restaurant: Restaurant, special_id: UUID, now: datetime) -> Special | None:
    """One special, even after it ended; None if it was deleted or isn't this restaurant's."""
    shown = _special(restaurant, special_id, now)
    return None if shown is None or shown.is_deleted else shown


def special_called_off(restaurant: Restaurant, special_id: UUID, now: datetime) -> Special | None:
    """A special of the restaurant that was deleted, for those who have its link."""
    shown = _special(restaurant, special_id, now)
    return shown if shown is not None and shown.is_deleted else None


def _special(restaurant: Restaurant, special_id: UUID, now: datetime) -> Special | None:
    with rls.acting_as(restaurant):
        offer = offer_for_display(restaurant=restaurant, offer_id=special_id)
    return Special(offer, now) if offer else None
