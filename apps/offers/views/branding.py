"""The owner's page about the look of its pages, with a preview before anything is published."""

from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.http import require_POST, require_safe

from apps.common import clock
from apps.common.body_limit import up_to
from apps.common.errors import DomainError
from apps.common.versions import EditedMeanwhile
from apps.offers import branding
from apps.offers.branding import Look
from apps.offers.forms import BrandingForm
from apps.offers.images import photo_jpeg
from apps.offers.models import Branding
from apps.offers.services import upload_photo
from apps.offers.storefront import open_specials
from apps.offers.views.menu import menu_context
from apps.restaurants.colors import LIGHT, READABLE, Color, nearest_readable
from apps.restaurants.entitlements import FEATURE_TEXTS, Feature, includes
from apps.restaurants.hosts import absolute_url
from apps.restaurants.member_access import member_page
from apps.restaurants.permissions import CurrentMembership, Permission

FORM_OVERHEAD_BYTES = 64 * 1024
PUBLISHED = "Published. Guests see it on your pages within seconds, and in emails from now on."
CHANGED_MEANWHILE = "Someone changed your branding in the meantime. This is how it looks now."
DISCARDED = "Your changes are discarded."


def _stored(row: Branding | None) -> dict[str, Any]:
    """The draft as the form shows it."""
    return {name: getattr(row or Branding(), name) for name in branding.CHOSEN}


def _page(
    request: HttpRequest,
    membership: CurrentMembership,
    form: BrandingForm | None = None,
    *,
    status: int = 200,
) -> HttpResponse:
    restaurant = membership.restaurant
    row = branding.draft_of(restaurant)
    version = branding.draft_version(row)
    asked = Color.parse(form.data.get("accent", "")) if form and form.errors else None
    context = {
        "restaurant": restaurant,
        "form": form or BrandingForm(initial={**_stored(row), "version": version}),
        "version": version,
        "nearest": str(nearest_readable(asked, LIGHT)) if asked else "",
        "backgrounds": " ".join(map(str, LIGHT)),
        "readable": READABLE,
        "logo": photo_jpeg(row.logo) if row and row.logo else "",
        "cover": photo_jpeg(row.cover) if row and row.cover else "",
        "shows_menu": request.GET.get("page") == "menu",
        "has_changes": branding.has_changes(restaurant, row),
        "is_included": includes(restaurant, Feature.BRANDING),
        "refusal": FEATURE_TEXTS[Feature.BRANDING].refusal,
        "specials_url": absolute_url("/specials", restaurant=restaurant),
    }
    return render(request, "offers/owner/branding.html", context, status=status)


@require_safe
@never_cache
@member_page(Permission.MANAGE)
def branding_page(request: HttpRequest, membership: CurrentMembership) -> HttpResponse:
    return _page(request, membership)


@up_to(settings.IMAGE_MAX_BYTES + FORM_OVERHEAD_BYTES)
@require_POST
@never_cache
@member_page(Permission.MANAGE)
def save(request: HttpRequest, membership: CurrentMembership) -> HttpResponse:
    """Save the draft, and show its preview."""
    form = BrandingForm(request.POST, request.FILES)
    if not form.is_valid():
        return _page(request, membership, form, status=HTTPStatus.BAD_REQUEST)
    chosen = form.cleaned_data
    photos: dict[str, Any] = {}
    field = ""
    try:
        for field in ("logo", "cover"):
            if chosen[field]:
                data = chosen[field].read()
                photos[field] = upload_photo(
                    restaurant=membership.restaurant, data=data, field=field
                )
            elif chosen[f"remove_{field}"]:
                photos[field] = False
        field = ""
        look = Look(
            chosen["accent"],
            chosen["footer"],
            chosen["hides_platform"],
            chosen["menu_layout"],
            **photos,
        )
        branding.save_draft(
            restaurant=membership.restaurant,
            look=look,
            version=chosen["version"],
            now=clock.now(),
        )
    except EditedMeanwhile as refusal:
        row = branding.draft_of(membership.restaurant)
        form = form.over(_stored(row), branding.draft_version(row))
        return _page(request, membership, form, status=refusal.status)
    except DomainError as refusal:
        form.add_error(field or None, refusal.message)
        return _page(request, membership, form, status=refusal.status)
    return redirect("branding")


@require_POST
@never_cache
@member_page(Permission.MANAGE)
def publish(request: HttpRequest, membership: CurrentMembership) -> HttpResponse:
    try:
        branding.publish_branding(
            restaurant=membership.restaurant,
            version=request.POST.get("version", ""),
            now=clock.now(),
        )
    except EditedMeanwhile:
        messages.error(request, CHANGED_MEANWHILE)
    except DomainError as refusal:
        messages.error(request, refusal.message)
    else:
        messages.success(request, PUBLISHED)
    return redirect("branding")


@require_POST
@never_cache
@member_page(Permission.MANAGE)
def discard(request: HttpRequest, membership: CurrentMembership) -> HttpResponse:
    version = request.POST.get("version", "")
    try:
        branding.discard_draft(restaurant=membership.restaurant, version=version)
    except EditedMeanwhile:
        messages.error(request, CHANGED_MEANWHILE)
    else:
        messages.success(request, DISCARDED)
    return redirect("branding")


@require_safe
@never_cache
@xframe_options_sameorigin
@member_page(Permission.MANAGE)
def preview(request: HttpRequest, membership: CurrentMembership) -> HttpResponse:
    """The specials page, or with `?page=menu` the menu, with the draft's look, for the frame on
    the owner's page. Without scripts: its frame doesn't run any."""
    restaurant = membership.restaurant
    if request.GET.get("page") == "menu":
        template, context = "offers/menu.html", menu_context(restaurant)
    else:
        template = "offers/specials.html"
        context = {
            "restaurant": restaurant,
            "specials": open_specials(restaurant, clock.now()),
            "canonical_url": absolute_url("/specials", restaurant=restaurant),
            "structured_data": {},
        }
    context["previewed_brand"] = branding.previewed_brand(restaurant)
    page = render(request, template, context)
    page._csp_replace = {"frame-ancestors": ["'self'"]}  # type: ignore[attr-defined]
    return page
