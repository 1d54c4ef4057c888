"""View of the public list of specials."""

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from apps.billing.card_fields import asks_for_a_card
from apps.common import clock
from apps.offers.page_cache import cached_briefly
from apps.offers.selectors import record_for_guests
from apps.offers.storefront import open_specials, restaurant_on_show
from apps.offers.structured_data import menu_data
from apps.restaurants.hosts import absolute_url


@require_safe
@asks_for_a_card
@cached_briefly
def specials(request: HttpRequest) -> HttpResponse:
    """The public list of specials."""
    return list_of_specials(request, "offers/specials.html")


def list_of_specials(request: HttpRequest, template: str) -> HttpResponse:
    """The requested restaurant's specials, rendered with `template`."""
    restaurant = restaurant_on_show(request)
    if restaurant is None:
        return render(request, "offers/no_restaurant.html", status=HTTPStatus.NOT_FOUND)
    on_show = open_specials(restaurant, clock.now())
    return render(
        request,
        template,
        {
            "restaurant": restaurant,
            "specials": on_show,
            "record": record_for_guests(restaurant),
            "canonical_url": absolute_url("/specials", restaurant=restaurant),
            "structured_data": menu_data(restaurant, on_show),
        },
    )
