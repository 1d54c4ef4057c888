"""What the public pages read: one function per page, a constant number of queries."""

from datetime import datetime
from uuid import UUID

from django.http import HttpRequest

from apps.common import rls
from apps.offers.models import SpecialOffer
from apps.offers.presenting import Special
from apps.offers.states import OfferStatus
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
        return Restaurant.objects.filter(
            special_offers=special_id, status=Restaurant.Status.ACTIVE
        ).first()


def open_specials(restaurant: Restaurant, now: datetime) -> list[Special]:
    """What can be ordered now, the nearest deadline first; acts as the restaurant."""
    with rls.acting_as(restaurant):
        offers = (
            SpecialOffer.objects.for_display()
            .filter(restaurant=restaurant)
            .open(now)
            .order_by("deadline", "name")
        )
        return [Special(offer, now) for offer in offers]


def special_on_show(restaurant: Restaurant, special_id: UUID, now: datetime) -> Special | None:
    """One special, also after its end; None when it is not this restaurant's or was deleted."""
    with rls.acting_as(restaurant):
        offer = (
            SpecialOffer.objects.for_display()
            .filter(restaurant=restaurant, pk=special_id)
            .exclude(status=OfferStatus.DELETED)
            .first()
        )
    return Special(offer, now) if offer else None
