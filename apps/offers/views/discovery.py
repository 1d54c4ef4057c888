"""Files at fixed addresses, for programs: robots, sitemap, manifest, icon, share picture, and the
security contact."""

from datetime import UTC, timedelta
from http import HTTPStatus
from pathlib import Path
from typing import Any
from uuid import UUID

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from apps.common import clock
from apps.offers.share_image import share_image
from apps.offers.storefront import open_specials, restaurant_of_special, special_on_show
from apps.restaurants.hosts import absolute_url
from apps.restaurants.middleware import tenant_of
from apps.restaurants.models import Restaurant

# Pixels: Apple's home screen, Android's, and its splash screen. Square, because home screens crop
# the corners; the drawing is that of static/images/favicon.svg.
ICON_SIZES = (180, 192, 512)
MINUTE_SECONDS, DAY_SECONDS = 60, 24 * 60 * 60
CONTACT_VALID_FOR = timedelta(days=180)
# Pages of one guest or of a restaurant's team: nothing a search should find.
PRIVATE_PATHS = ("/api/", "/pre-order-confirmation", "/order", "/embed")
PLATFORM_PRIVATE_PATHS = ("/restaurant", "/account", "/admin", "/platform", "/_demo", "/stripe")
RESTAURANT_SITEMAP_PATHS = ("/patron", "/specials")
PLATFORM_SITEMAP_PATHS = ("/", "/patron", "/demo", "/terms", "/terms-of-service", "/privacy-policy")


@require_safe
@cache_control(public=True, max_age=DAY_SECONDS)
def share(request: HttpRequest, special_id: UUID) -> HttpResponse:
    """The special's share picture; its URL changes whenever the picture does."""
    restaurant = restaurant_of_special(request, special_id)
    special = special_on_show(restaurant, special_id, clock.now()) if restaurant else None
    if special is None:
        return HttpResponse(status=HTTPStatus.NOT_FOUND)
    return HttpResponse(share_image(special), content_type="image/jpeg")


@require_safe
@cache_control(public=True, max_age=MINUTE_SECONDS)
def robots(request: HttpRequest) -> HttpResponse:
    private = PRIVATE_PATHS if tenant_of(request) else PRIVATE_PATHS + PLATFORM_PRIVATE_PATHS
    lines = [
        "User-agent: *",
        *(f"Disallow: {path}" for path in private),
        f"Sitemap: {absolute_url('/sitemap.xml', restaurant=tenant_of(request))}",
    ]
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")


@require_safe
@cache_control(public=True, max_age=DAY_SECONDS)
def security_contact(request: HttpRequest) -> HttpResponse:
    """Where to report a vulnerability: https://www.rfc-editor.org/rfc/rfc9116."""
    if not settings.SECURITY_CONTACT:
        raise Http404
    # The RFC wants a date less than a year ahead; the contact is confirmed by every deployment.
    expires = (clock.now() + CONTACT_VALID_FOR).astimezone(UTC).replace(microsecond=0)
    lines = [
        f"Contact: {settings.SECURITY_CONTACT}",
        f"Expires: {expires:%Y-%m-%dT%H:%M:%SZ}",
        f"Canonical: {absolute_url(request.path)}",
        "Preferred-Languages: en",
    ]
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")


@require_safe
@cache_control(public=True, max_age=MINUTE_SECONDS)
def sitemap(request: HttpRequest) -> HttpResponse:
    """The host's public pages, and its specials while they can be ordered."""
    restaurant = tenant_of(request)
    entries = _restaurant_entries(restaurant) if restaurant else _platform_entries()
    return render(
        request, "offers/sitemap.xml", {"entries": entries}, content_type="application/xml"
    )


def _platform_entries() -> list[dict[str, Any]]:
    return [{"url": absolute_url(path)} for path in PLATFORM_SITEMAP_PATHS]


def _restaurant_entries(restaurant: Restaurant) -> list[dict[str, Any]]:
    specials = open_specials(restaurant, clock.now())
    pages = [
        {"url": absolute_url(path, restaurant=restaurant)} for path in RESTAURANT_SITEMAP_PATHS
    ]
    return [*pages, *({"url": each.url, "changed": each.offer.created_at} for each in specials)]


@require_safe
@cache_control(public=True, max_age=DAY_SECONDS)
def manifest(request: HttpRequest) -> HttpResponse:
    """Web app manifest, so phones can add the site to the home screen."""
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
                for size in ICON_SIZES
            ],
        },
        content_type="application/manifest+json",
        json_dumps_params={"ensure_ascii": False},
    )


@require_safe
@cache_control(public=True, max_age=DAY_SECONDS)
def icon(request: HttpRequest, size: int) -> HttpResponse:
    """The app icon as a PNG, for clients that don't draw SVG."""
    if size not in ICON_SIZES:
        raise Http404
    picture = Path(settings.BASE_DIR) / "static" / "images" / f"icon-{size}.png"
    return HttpResponse(picture.read_bytes(), content_type="image/png")


@require_safe
@cache_control(no_cache=True)
def push_worker(request: HttpRequest) -> HttpResponse:
    """The service worker that shows push messages. Here and not among the static files, because a
    worker is registered for the pages below its own address."""
    script = Path(settings.BASE_DIR) / "static" / "workers" / "push.js"
    return HttpResponse(script.read_bytes(), content_type="text/javascript; charset=utf-8")
