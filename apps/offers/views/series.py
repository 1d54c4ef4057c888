"""The owner's pages of weekly specials; they work without JavaScript."""

from collections.abc import Callable
from datetime import date
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from apps.common import clock, formats
from apps.common.errors import DomainError, NotFound
from apps.common.versions import EditedMeanwhile
from apps.common.views import permission_denied
from apps.offers.forms import SeriesForm
from apps.offers.models import OfferSeries, SpecialOffer
from apps.offers.selectors import offer_for_display
from apps.offers.series import selectors, services
from apps.restaurants.member_access import member_page
from apps.restaurants.permissions import CurrentMembership, Permission

CREATED = "Done. {dish} is now published automatically every {weekday}."
CHANGED = "Your changes are saved. They apply to specials that aren't published yet."
STOPPED = "Stopped. No more specials are published; those already published stay as they are."
SKIPPED = "{day} is skipped. Nothing is published for it."
RESTORED = "{day} is no longer skipped."
# The form's fields by the names that rules about specials use in the API.
FIELDS = {
    "specialOfferPrice": "special_price",
    "price": "regular_price",
    "maxPreorders": "max_preorders",
    "minPreordersRequired": "min_preorders",
    "preorderExpiresAt": "deadline_time",
    "specialServeDate": "deadline_days_before",
}


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@member_page(Permission.EDIT_OFFERS)
def repeat(request: HttpRequest, membership: CurrentMembership, offer_id: UUID) -> HttpResponse:
    """Repeat a special every week: its day, hours, and numbers, to be changed before it starts."""
    offer = offer_for_display(restaurant=membership.restaurant, offer_id=offer_id)
    if offer is None:
        raise Http404
    if (existing := services.running_series_of(offer)) is not None:
        return redirect("series", series_id=existing.pk)
    if request.method != "POST":
        return _form_page(request, offer, _form(services.suggested_terms(offer)))
    form = SeriesForm(request.POST)
    if form.is_valid():
        try:
            series = services.create_series(
                restaurant=membership.restaurant,
                offer_id=offer_id,
                terms={name: form.cleaned_data[name] for name in services.TERMS},
                now=clock.now(),
            )
        except DomainError as refusal:
            _refuse(form, refusal)
        else:
            weekday = selectors.rhythm(series).removeprefix("Every ")
            messages.success(request, CREATED.format(dish=offer.name, weekday=weekday))
            return redirect("series", series_id=series.pk)
    return _form_page(request, offer, form, status=400)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@member_page(Permission.SEE_OFFERS)
def series(request: HttpRequest, membership: CurrentMembership, series_id: UUID) -> HttpResponse:
    """A weekly special with its next dates; a POST changes its terms."""
    if request.method != "POST":
        return _series_page(request, membership, series_id)
    if not membership.can(Permission.EDIT_OFFERS):
        return permission_denied(request)
    form = SeriesForm(request.POST)
    if form.is_valid():
        terms = form.cleaned_data
        try:
            services.change_series(
                restaurant=membership.restaurant,
                series_id=series_id,
                version=terms.pop("version"),
                terms=terms,
                now=clock.now(),
            )
        except NotFound:
            raise Http404 from None
        except EditedMeanwhile as refusal:
            current = selectors.series_for_page(membership.restaurant, series_id)
            form = form.over(_as_typed(_terms_of(current)), services.series_version(current))
            return _series_page(request, membership, series_id, form=form, status=refusal.status)
        except DomainError as refusal:
            _refuse(form, refusal)
        else:
            messages.success(request, CHANGED)
            return redirect("series", series_id=series_id)
    return _series_page(request, membership, series_id, form=form, status=400)


@require_POST
@never_cache
@member_page(Permission.EDIT_OFFERS)
def skip(request: HttpRequest, membership: CurrentMembership, series_id: UUID) -> HttpResponse:
    return _change_date(request, membership, series_id, services.skip_date, SKIPPED)


@require_POST
@never_cache
@member_page(Permission.EDIT_OFFERS)
def unskip(request: HttpRequest, membership: CurrentMembership, series_id: UUID) -> HttpResponse:
    return _change_date(request, membership, series_id, services.unskip_date, RESTORED)


@require_POST
@never_cache
@member_page(Permission.EDIT_OFFERS)
def stop(request: HttpRequest, membership: CurrentMembership, series_id: UUID) -> HttpResponse:
    try:
        services.stop_series(restaurant=membership.restaurant, series_id=series_id, now=clock.now())
    except NotFound:
        raise Http404 from None
    messages.success(request, STOPPED)
    return redirect("series", series_id=series_id)


def _change_date(
    request: HttpRequest,
    membership: CurrentMembership,
    series_id: UUID,
    change: Callable[..., None],
    done: str,
) -> HttpResponse:
    try:
        day = date.fromisoformat(request.POST.get("date", ""))
    except ValueError:
        messages.error(request, services.NOT_ITS_DAY)
        return redirect("series", series_id=series_id)
    try:
        change(
            restaurant=membership.restaurant, series_id=series_id, serve_date=day, now=clock.now()
        )
    except NotFound:
        raise Http404 from None
    except DomainError as refusal:
        messages.error(request, refusal.message)
    else:
        messages.success(request, done.format(day=formats.day(day)))
    return redirect("series", series_id=series_id)


def _refuse(form: SeriesForm, refusal: DomainError) -> None:
    for each in refusal.fields:
        form.add_error(FIELDS.get(each.field), each.message)
    if not refusal.fields:
        form.add_error(None, refusal.message)


def _form_page(
    request: HttpRequest, offer: SpecialOffer, form: SeriesForm, *, status: int = 200
) -> HttpResponse:
    context = {"offer": offer, "restaurant": offer.restaurant, "form": form}
    return render(request, "offers/owner/repeat.html", context, status=status)


def _series_page(
    request: HttpRequest,
    membership: CurrentMembership,
    series_id: UUID,
    *,
    form: SeriesForm | None = None,
    status: int = 200,
) -> HttpResponse:
    try:
        found = selectors.series_for_page(membership.restaurant, series_id)
    except NotFound:
        raise Http404 from None
    found.restaurant = membership.restaurant
    is_running = found.stopped_at is None
    context = {
        "restaurant": membership.restaurant,
        "series": found,
        "rhythm": selectors.rhythm(found),
        "closing_day": selectors.closing_day(found),
        "dates": selectors.dates_to_come(found, now=clock.now()) if is_running else [],
        "can_edit": is_running and membership.can(Permission.EDIT_OFFERS),
        "form": form or _form(_terms_of(found), services.series_version(found)),
    }
    return render(request, "offers/owner/series.html", context, status=status)


def _form(terms: dict[str, Any], version: str = "") -> SeriesForm:
    """The form filled with these terms."""
    return SeriesForm(initial={**_as_typed(terms), "version": version})


def _terms_of(series: OfferSeries) -> dict[str, Any]:
    return {name: getattr(series, name) for name in services.TERMS}


def _as_typed(terms: dict[str, Any]) -> dict[str, Any]:
    """These terms with the time as a browser's time field has it."""
    return {**terms, "deadline_time": f"{terms['deadline_time']:%H:%M}"}
