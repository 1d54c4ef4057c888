"""The public list of specials, and the short links to them."""

import re
from collections.abc import Callable, Mapping
from datetime import datetime
from http import HTTPStatus
from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import patch_cache_control
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from apps.common import clock, rls
from apps.offers.selectors import offer_by_short_code, record_for_guests
from apps.offers.storefront import open_specials, restaurant_on_show
from apps.offers.structured_data import menu_data
from apps.restaurants.hosts import absolute_url

SHORT_LINK_SECONDS = 5 * 60
SHORT_CODE = re.compile(r"[0-9a-f]{8}")


@require_safe
@cache_control(public=True, max_age=SHORT_LINK_SECONDS)
def short_link(request: HttpRequest, code: str) -> HttpResponse:
    """Leads from a short address to the special; to the list if there is no such special."""
    if not SHORT_CODE.fullmatch(code):
        raise Http404
    restaurant = restaurant_on_show(request)
    if restaurant is None:
        return render(request, "offers/no_restaurant.html", status=HTTPStatus.NOT_FOUND)
    with rls.acting_as(restaurant):
        found = offer_by_short_code(restaurant=restaurant, code=code)
    path = f"/specials/{found}" if found else "/specials"
    return redirect(absolute_url(path, restaurant=restaurant))


def list_of_specials(
    request: HttpRequest,
    template: str,
    *,
    only: str = "",
    orders_of_guest: Callable[[HttpRequest, datetime], Mapping[UUID, Any]] | None = None,
    **context: str,
) -> HttpResponse:
    """The requested restaurant's specials, rendered with `template`; `only` the special with this
    id, if it is one of them. `orders_of_guest` finds this browser's orders that wait for a card, by
    special, which come first; a page that shows one is never cached."""
    restaurant = restaurant_on_show(request)
    if restaurant is None:
        return render(request, "offers/no_restaurant.html", status=HTTPStatus.NOT_FOUND)
    now = clock.now()
    on_show = open_specials(restaurant, now)
    on_show = [special for special in on_show if str(special.offer.pk) == only] or on_show
    unfinished: Mapping[UUID, Any] = {}
    if orders_of_guest:
        with rls.acting_as(restaurant):
            unfinished = orders_of_guest(request, now)
        on_show.sort(key=lambda special: special.offer.pk not in unfinished)
    page = render(
        request,
        template,
        {
            "restaurant": restaurant,
            "unfinished": unfinished,
            "specials": on_show,
            "record": record_for_guests(restaurant),
            "canonical_url": absolute_url("/specials", restaurant=restaurant),
            "structured_data": menu_data(restaurant, on_show),
            **context,
        },
    )
    if unfinished:
        patch_cache_control(page, private=True, no_store=True)
    return page
