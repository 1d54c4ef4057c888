"""What search engines, chats and home screens ask of a host: who it is, and where its pages are."""

from http import HTTPStatus
from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from apps.common import clock
from apps.offers.app_icon import SIZES, draw_icon
from apps.offers.share_image import share_image
from apps.offers.storefront import open_specials, restaurant_of_special, special_on_show
from apps.restaurants.hosts import absolute_url
from apps.restaurants.middleware import tenant_of
from apps.restaurants.models import Restaurant

A_MINUTE, A_DAY = 60, 24 * 60 * 60
# Pages of one guest or of a restaurant's people: nothing to be found in them.
PRIVATE = ("/api/", "/pre-order-confirmation", "/order", "/embed")
PRIVATE_ON_THE_PLATFORM = ("/restaurant", "/account", "/admin", "/platform", "/_demo", "/stripe")
RESTAURANT_PAGES = ("/patron", "/specials")
PLATFORM_PAGES = ("/", "/patron", "/demo", "/terms", "/terms-of-service", "/privacy-policy")


@require_safe
@cache_control(public=True, max_age=A_DAY)
def share(request: HttpRequest, special_id: UUID) -> HttpResponse:
    """The special's picture for chats; its address changes with what it shows."""
    restaurant = restaurant_of_special(request, special_id)
    special = special_on_show(restaurant, special_id, clock.now()) if restaurant else None
    if special is None:
        return HttpResponse(status=HTTPStatus.NOT_FOUND)
    return HttpResponse(share_image(special), content_type="image/jpeg")


@require_safe
@cache_control(public=True, max_age=A_MINUTE)
def robots(request: HttpRequest) -> HttpResponse:
    private = PRIVATE if tenant_of(request) else PRIVATE + PRIVATE_ON_THE_PLATFORM
    lines = [
        "User-agent: *",
        *(f"Disallow: {path}" for path in private),
        f"Sitemap: {absolute_url('/sitemap.xml', restaurant=tenant_of(request))}",
    ]
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")


@require_safe
@cache_control(public=True, max_age=A_MINUTE)
def sitemap(request: HttpRequest) -> HttpResponse:
    """The host's own pages; a special as long as it can be ordered."""
    restaurant = tenant_of(request)
    entries = _restaurant_entries(restaurant) if restaurant else _platform_entries()
    return render(
        request, "offers/sitemap.xml", {"entries": entries}, content_type="application/xml"
    )


def _platform_entries() -> list[dict[str, Any]]:
    return [{"url": absolute_url(path)} for path in PLATFORM_PAGES]


def _restaurant_entries(restaurant: Restaurant) -> list[dict[str, Any]]:
    specials = open_specials(restaurant, clock.now())
    pages = [
        {"url": absolute_url(path, restaurant=restaurant)} for path in ("/patron", "/specials")
    ]
    return [*pages, *({"url": each.url, "changed": each.offer.created_at} for each in specials)]


@require_safe
@cache_control(public=True, max_age=A_DAY)
def manifest(request: HttpRequest) -> HttpResponse:
    """What a phone needs to keep the site on its home screen."""
    restaurant = tenant_of(request)
    name = restaurant.name if restaurant else "Fully Booked"
    return JsonResponse(
        {
            "name": name,
            "short_name": name[:12].strip() if len(name) > 12 else name,
            "start_url": "/patron" if restaurant else "/restaurant",
            "scope": "/",
            "display": "standalone",
            "background_color": "#fbf8f3",
            "theme_color": "#fbf8f3",
            "icons": [
                {
                    "src": f"/icon-{size}.png",
                    "sizes": f"{size}x{size}",
                    "type": "image/png",
                    "purpose": "any maskable",
                }
                for size in SIZES
            ],
        },
        content_type="application/manifest+json",
        json_dumps_params={"ensure_ascii": False},
    )


@require_safe
@cache_control(public=True, max_age=A_DAY)
def icon(request: HttpRequest, size: int) -> HttpResponse:
    """The mark as a picture, for what does not draw SVG."""
    if size not in SIZES:
        raise Http404
    return HttpResponse(draw_icon(size), content_type="image/png")
