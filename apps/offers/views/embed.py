"""The list of specials inside another site (R103, R109): what the embed code shows."""

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from apps.offers.page_cache import cached_briefly
from apps.offers.storefront import restaurant_on_show
from apps.offers.views.specials import list_of_specials
from apps.restaurants.hosts import absolute_url
from apps.restaurants.tiers import can_embed


@require_safe
def embed(request: HttpRequest) -> HttpResponse:
    """For everybody's frames when the plan has embedding (DECISIONS X66), else a page that says so
    and may not be framed."""
    restaurant = restaurant_on_show(request)
    if restaurant is None:
        return render(request, "offers/no_restaurant.html", status=HTTPStatus.NOT_FOUND)
    if not can_embed(restaurant):
        context = {
            "restaurant": restaurant,
            "canonical_url": absolute_url("/specials", restaurant=restaurant),
        }
        return render(request, "offers/embed_closed.html", context, status=HTTPStatus.FORBIDDEN)
    return _open_to_frames(_kept_list(request))


@cached_briefly
def _kept_list(request: HttpRequest) -> HttpResponse:
    return list_of_specials(request, "offers/embed.html")


def _open_to_frames(page: HttpResponse) -> HttpResponse:
    # Read by the two middlewares that otherwise forbid it; the kept page forgets attributes, so
    # they are set on every answer.
    page.xframe_options_exempt = True
    page._csp_replace = {"frame-ancestors": ["*"]}  # type: ignore[attr-defined]
    return page
