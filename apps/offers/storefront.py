"""What the public pages read: one function per page, a constant number of queries.

Each acts as the restaurant it reads from, whichever host was asked.
"""

from datetime import datetime
from uuid import UUID

from django.http import HttpRequest

from apps.common import rls
from apps.offers.presentation import Special
from apps.offers.selectors import offer_for_display, offers_for_guests, restaurant_of_offer
from apps.restaurants.middleware import tenant_of
from apps.restaurants.models import Restaurant
from apps.restaurants.selectors import active_restaurant_by_id


def restaurant_on_show(request: HttpRequest) -> Restaurant | None:
    """Whose specials are asked for: the host's restaurant, else the active one `?rid=` names."""
    restaurant = tenant_of(request)
    if restaurant is not None:
        return restaurant
    return active_restaurant_by_id(request.GET.get("rid", ""))


def restaurant_of_special(request: HttpRequest, special_id: UUID) -> Restaurant | None:
    """The host's restaurant; on the platform's host, the active one whose special this is."""
    restaurant = tenant_of(request)
    if restaurant is not None:
        return restaurant
    with rls.acting_as(rls.PLATFORM):
        found = restaurant_of_offer(special_id)
    return found if found and found.status == Restaurant.Status.ACTIVE else None


def open_specials(restaurant: Restaurant, now: datetime) -> list[Special]:
    """What can be ordered now, the nearest deadline first."""
    with rls.acting_as(restaurant):
        return [Special(offer, now) for offer in offers_for_guests(restaurant=restaurant, now=now)]


def special_on_show(restaurant: Restaurant, special_id: UUID, now: datetime) -> Special | None:
    """One special, also after its end; None when it is not this restaurant's or was deleted."""
    with rls.acting_as(restaurant):
        offer = offer_for_display(restaurant=restaurant, offer_id=special_id)
    shown = Special(offer, now) if offer else None
    return None if shown is None or shown.is_deleted else shown
