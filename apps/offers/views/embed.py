"""The embed page: the list of specials that another site shows in a frame."""

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
    """The list, framable by any site, if the restaurant's plan includes embedding (DECISIONS X66).
    Otherwise a page that links to the specials and can't be framed."""
    restaurant = restaurant_on_show(request)
    if restaurant is None:
        return render(request, "offers/no_restaurant.html", status=HTTPStatus.NOT_FOUND)
    if not can_embed(restaurant):
        context = {
            "restaurant": restaurant,
            "canonical_url": absolute_url("/specials", restaurant=restaurant),
        }
        return render(request, "offers/embed_closed.html", context, status=HTTPStatus.FORBIDDEN)
    return _allow_framing(_cached_list(request))


@cached_briefly
def _cached_list(request: HttpRequest) -> HttpResponse:
    return list_of_specials(request, "offers/embed.html")


def _allow_framing(page: HttpResponse) -> HttpResponse:
    # Two middlewares read these attributes. The page cache doesn't store attributes, so they are
    # set on every response.
    page.xframe_options_exempt = True
    page._csp_replace = {"frame-ancestors": ["*"]}  # type: ignore[attr-defined]
    return page
