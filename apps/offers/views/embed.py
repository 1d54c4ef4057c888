"""The specials inside another site (decision 158): the frame, the script that puts it there, and
oEmbed for programs that make previews of links."""

import re
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, urlsplit
from uuid import UUID

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.html import format_html
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from apps.common import clock
from apps.offers.page_cache import cached_briefly
from apps.offers.presentation import Special
from apps.offers.storefront import restaurant_on_show, special_on_show
from apps.offers.views.specials import list_of_specials
from apps.restaurants.embed_sites import frame_sources
from apps.restaurants.entitlements import Feature, includes
from apps.restaurants.hosts import absolute_url
from apps.restaurants.models import Restaurant

LOADER = Path(__file__).parents[1] / "embed.js"
HOUR_SECONDS = 60 * 60
THEMES = ("light", "dark")
# Pixels: what an oEmbed frame gets where the program that asks says nothing.
WIDTH, HEIGHT = 480, 560
SPECIAL_PATH = re.compile(r"/specials/([0-9a-f-]{36})")


@require_safe
def embed(request: HttpRequest) -> HttpResponse:
    """The list for a frame on the sites that the restaurant listed, if its plan includes embedding
    (DECISIONS X66). Otherwise a page that links to the specials and can't be framed.

    `?special=` shows one special alone while it is open; `?theme=` is `light` or `dark`, otherwise
    the guest's device decides.
    """
    restaurant = restaurant_on_show(request)
    if restaurant is None:
        return render(request, "offers/no_restaurant.html", status=HTTPStatus.NOT_FOUND)
    if not includes(restaurant, Feature.EMBEDDING):
        context = {
            "restaurant": restaurant,
            "canonical_url": absolute_url("/specials", restaurant=restaurant),
        }
        return render(request, "offers/embed_closed.html", context, status=HTTPStatus.FORBIDDEN)
    return _allow_framing(_cached_list(request), restaurant)


@cached_briefly
def _cached_list(request: HttpRequest) -> HttpResponse:
    theme = request.GET.get("theme")
    return list_of_specials(
        request,
        "offers/embed.html",
        only=request.GET.get("special", ""),
        theme=theme if theme in THEMES else "",
    )


def _allow_framing(page: HttpResponse, restaurant: Restaurant) -> HttpResponse:
    # Two middlewares read these attributes. The page cache doesn't store attributes, so they are
    # set on every response. X-Frame-Options knows no list of sites.
    page.xframe_options_exempt = True
    sources = frame_sources(restaurant.embed_sites)
    page._csp_replace = {"frame-ancestors": sources}  # type: ignore[attr-defined]
    return page


@require_safe
@cache_control(public=True, max_age=HOUR_SECONDS)
def loader(request: HttpRequest) -> HttpResponse:
    """The script for other sites; its address never changes."""
    return HttpResponse(LOADER.read_bytes(), content_type="text/javascript; charset=utf-8")


@require_safe
@cache_control(public=True, max_age=HOUR_SECONDS)
def oembed(request: HttpRequest) -> HttpResponse:
    """What a program shows for a link to the list or to a special (https://oembed.com).

    A `link` with the share picture; `rich`, a frame, once the restaurant listed sites that may show
    one. Only JSON is spoken: another format answers 501, an address that isn't ours 404.
    """
    if request.GET.get("format", "json") != "json":
        return HttpResponse(status=HTTPStatus.NOT_IMPLEMENTED)
    address = _address(request)
    restaurant = restaurant_on_show(request)
    special = _special_at(restaurant, address.path) if restaurant else None
    is_list = address.path.rstrip("/") == "/specials"
    here = urlsplit(absolute_url("/", restaurant=restaurant)).netloc if restaurant else ""
    if restaurant is None or address.netloc.lower() != here or not (special or is_list):
        return HttpResponse(status=HTTPStatus.NOT_FOUND)
    return JsonResponse(_oembed_answer(request, restaurant, special))


def _address(request: HttpRequest) -> SplitResult:
    try:
        return urlsplit(request.GET.get("url", ""))
    except ValueError:
        return urlsplit("")


def _special_at(restaurant: Restaurant, path: str) -> Special | None:
    found = SPECIAL_PATH.fullmatch(path.rstrip("/"))
    try:
        return special_on_show(restaurant, UUID(found[1]), clock.now()) if found else None
    except ValueError:
        return None


def _oembed_answer(
    request: HttpRequest, restaurant: Restaurant, special: Special | None
) -> dict[str, Any]:
    title = f"{special.name} at {restaurant.name}" if special else f"Specials at {restaurant.name}"
    answer: dict[str, Any] = {
        "version": "1.0",
        "type": "link",
        "title": title,
        "author_name": restaurant.name,
        "author_url": absolute_url("/", restaurant=restaurant),
        "provider_name": "Fully Booked",
        "provider_url": absolute_url("/"),
        "cache_age": HOUR_SECONDS,
    }
    if special:
        answer |= {
            "thumbnail_url": special.share_picture_url,
            "thumbnail_width": 1200,
            "thumbnail_height": 630,
        }
    if includes(restaurant, Feature.EMBEDDING) and restaurant.embed_sites:
        width = min(WIDTH, _pixels(request, "maxwidth") or WIDTH)
        height = min(HEIGHT, _pixels(request, "maxheight") or HEIGHT)
        query = f"?special={special.offer.pk}" if special else ""
        source = absolute_url(f"/embed{query}", restaurant=restaurant)
        answer |= {"type": "rich", "width": width, "height": height}
        answer["html"] = format_html(
            '<iframe src="{}" title="{}" width="{}" height="{}" loading="lazy" '
            'style="border:0;width:100%;max-width:{}px"></iframe>',
            source,
            title,
            width,
            height,
            width,
        )
    return answer


def _pixels(request: HttpRequest, name: str) -> int:
    """A size that the program asked for; 0 if none."""
    asked = request.GET.get(name, "")
    return int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 6 else 0
