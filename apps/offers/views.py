"""The public list of specials, and what stands at `/`."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from apps.common import clock
from apps.offers.page_cache import briefly_kept
from apps.offers.presenting import menu_data
from apps.offers.storefront import open_specials, restaurant_on_show
from apps.restaurants.hosts import absolute_url
from apps.restaurants.middleware import tenant_of


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """A restaurant's address leads to its specials; the platform's says what this is."""
    if tenant_of(request) is not None:
        return redirect("/specials")
    return render(request, "offers/landing.html")


@require_safe
@briefly_kept
def specials(request: HttpRequest) -> HttpResponse:
    """R129–R132, T59."""
    restaurant = restaurant_on_show(request)
    if restaurant is None:
        return render(request, "offers/no_restaurant.html", status=404)
    on_show = open_specials(restaurant, clock.now())
    return render(
        request,
        "offers/specials.html",
        {
            "restaurant": restaurant,
            "specials": on_show,
            "canonical_url": absolute_url("/specials", restaurant=restaurant),
            "structured_data": menu_data(restaurant, on_show),
        },
    )
