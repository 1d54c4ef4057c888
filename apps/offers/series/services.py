"""Start, change, skip, and stop weekly series."""

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from apps.activity.kinds import Kind
from apps.activity.services import record
from apps.common import formats
from apps.common.currencies import least_charge
from apps.common.errors import Conflict, FieldError, Invalid, NotFound
from apps.common.versions import require_version, version_of
from apps.offers.locks import UNKNOWN_OFFER
from apps.offers.models import OfferSeries, SeriesDate, SpecialOffer
from apps.offers.series.schedule import dates_from, days_before
from apps.offers.validation import OfferTerms, validate_terms
from apps.restaurants.models import Restaurant
from apps.restaurants.regions import holding_period

MAX_SERIES = 20  # running ones of a restaurant
UNKNOWN_SERIES = "We couldn't find this weekly special. It may belong to another restaurant."
TOO_MANY = (
    f"You have {MAX_SERIES} weekly specials, the most you can have. Stop one to start another."
)
ALREADY_REPEATS = "This special already repeats every week. Change that series instead."
HAS_STOPPED = "This weekly special was stopped. Repeat its special again to start a new one."
DATE_DECIDED = "The special of {day} is already published. Open it to change or cancel it."
NOT_ITS_DAY = "That day isn't one of this weekly special's days."
# The columns that an owner sets, as the pages send them.
TERMS = (
    "regular_price", "special_price", "min_preorders", "max_preorders", "weekday",
    "deadline_days_before", "deadline_time", "opens_days_before",
)  # fmt: skip


@transaction.atomic
def create_series(
    *, restaurant: Restaurant, offer_id: UUID, terms: Mapping[str, Any], now: datetime
) -> OfferSeries:
    """Repeat this special every week, after its own serve date.

    `terms` are the fields named in `TERMS`. Raises NotFound; Invalid; Conflict if the special
    repeats already, or there are too many.
    """
    # The restaurant's row is the lock, so two requests can't both find room or no series.
    Restaurant.objects.select_for_update(no_key=True).get(pk=restaurant.pk)
    offer = SpecialOffer.objects.filter(restaurant=restaurant, pk=offer_id).first()
    if offer is None:
        raise NotFound(UNKNOWN_OFFER)
    running = OfferSeries.objects.filter(restaurant=restaurant, stopped_at=None)
    if running_series_of(offer) is not None:
        raise Conflict(ALREADY_REPEATS)
    if running.count() >= MAX_SERIES:
        raise Conflict(TOO_MANY)
    series = OfferSeries(restaurant=restaurant, pattern=offer, created_at=now, **terms)
    _plan(series, now=now)
    series.save(force_insert=True)
    about = ("series", series.pk)
    record(Kind.SERIES_CREATED, restaurant=restaurant, about=about, now=now)
    return series


@transaction.atomic
def change_series(
    *,
    restaurant: Restaurant,
    series_id: UUID,
    terms: Mapping[str, Any],
    version: str = "",
    now: datetime,
) -> OfferSeries:
    """Change the specials that aren't published yet.

    `version` is the `series_version` that the editor saw; empty for one that doesn't say. Raises
    NotFound, Invalid, EditedMeanwhile, and Conflict for a series that was stopped.
    """
    series = lock_series(restaurant, series_id)
    _refuse_if_stopped(series)
    require_version(version, lambda: series_version(series), name="This weekly special")
    changed = [name for name in TERMS if getattr(series, name) != terms[name]]
    for name in changed:
        setattr(series, name, terms[name])
    if changed:
        _plan(series, now=now)
        series.save(update_fields=[*changed, "next_serve_date", "due_at"])
        about = ("series", series.pk)
        record(Kind.SERIES_CHANGED, restaurant=restaurant, about=about, now=now, fields=changed)
    return series


def series_version(series: OfferSeries) -> str:
    """Another one whenever somebody has changed the terms."""
    return version_of([getattr(series, name) for name in TERMS])


@transaction.atomic
def skip_date(*, restaurant: Restaurant, series_id: UUID, serve_date: date, now: datetime) -> None:
    """Publish nothing for this date; doing it twice has no further effect.

    Raises NotFound, Invalid for a day that isn't the series', and Conflict for a series that was
    stopped and for a date whose special is published.
    """
    series = lock_series(restaurant, series_id)
    _refuse_if_stopped(series)
    existing = series.dates.filter(serve_date=serve_date).first()
    is_to_come = serve_date >= series.next_serve_date and serve_date.weekday() == series.weekday
    if existing is None and not is_to_come:
        raise Invalid.because([FieldError("date", NOT_ITS_DAY)])
    if existing is not None and existing.offer_id:
        raise Conflict(DATE_DECIDED.format(day=formats.day(serve_date)))
    if existing is not None and existing.status == SeriesDate.Status.SKIPPED:
        return
    skipped = {"restaurant": restaurant, "status": SeriesDate.Status.SKIPPED, "at": now}
    series.dates.update_or_create(serve_date=serve_date, defaults=skipped)
    _record_change(series, now=now, skipped=serve_date.isoformat())


@transaction.atomic
def unskip_date(
    *, restaurant: Restaurant, series_id: UUID, serve_date: date, now: datetime
) -> None:
    """Publish this date after all, if its deadline is still to come; else nothing changes.

    Raises NotFound, and Conflict for a series that was stopped.
    """
    series = lock_series(restaurant, series_id)
    _refuse_if_stopped(series)
    skipped = series.dates.filter(serve_date=serve_date, status=SeriesDate.Status.SKIPPED)
    if skipped.delete()[0]:
        series.next_serve_date = min(series.next_serve_date, serve_date)
        series.due_at = min(series.due_at, now)  # the sweep finds out when it opens
        series.save(update_fields=["next_serve_date", "due_at"])
        _record_change(series, now=now, restored=serve_date.isoformat())


@transaction.atomic
def stop_series(*, restaurant: Restaurant, series_id: UUID, now: datetime) -> OfferSeries:
    """Publish no more. What is published stays as it is. Twice has no further effect; raises
    NotFound."""
    series = lock_series(restaurant, series_id)
    if series.stopped_at is None:
        series.stopped_at = now
        series.save(update_fields=["stopped_at"])
        about = ("series", series.pk)
        record(Kind.SERIES_STOPPED, restaurant=restaurant, about=about, now=now)
    return series


def lock_series(restaurant: Restaurant, series_id: UUID) -> OfferSeries:
    """The restaurant's own series, locked until the caller's transaction ends. Raises NotFound."""
    series = OfferSeries.objects.select_related("restaurant", "pattern")
    locked = series.select_for_update(of=("self",))
    found = locked.filter(restaurant=restaurant, pk=series_id).first()
    if found is None:
        raise NotFound(UNKNOWN_SERIES)
    return found


def running_series_of(offer: SpecialOffer) -> OfferSeries | None:
    """The running series that repeats this special, or that published it; None if there is none."""
    running = OfferSeries.objects.filter(restaurant=offer.restaurant_id, stopped_at=None)
    published = SeriesDate.objects.filter(offer=offer).values_list("series", flat=True)
    return running.filter(pattern=offer).first() or running.filter(pk__in=published).first()


def terms_for(series: OfferSeries, *, serve_date: date, deadline: datetime) -> OfferTerms:
    """The terms of the special on this date: the pattern's, with the series' own numbers."""
    pattern = OfferTerms.of(series.pattern)
    own = {name: getattr(series, name) for name in TERMS[:4]}
    terms = {name: getattr(pattern, name) for name in OfferTerms.__slots__}
    return OfferTerms(**{**terms, **own, "serve_date": serve_date, "deadline": deadline})


def _plan(series: OfferSeries, *, now: datetime) -> None:
    """Set the next date and when it is due, and check the terms as of then. Raises Invalid."""
    zone = series.restaurant.zone
    decided = series.dates.exclude(status=SeriesDate.Status.REFUSED)
    days = [series.pattern.serve_date, *decided.values_list("serve_date", flat=True)]
    weeks = {day.isocalendar()[:2] for day in days}  # another weekday begins in the next week
    for dates in dates_from(series, series.pattern.serve_date, zone):
        if dates.deadline > now and dates.serve_date.isocalendar()[:2] not in weeks:
            break
    series.next_serve_date, series.due_at = dates.serve_date, dates.opens_at
    terms = terms_for(series, serve_date=dates.serve_date, deadline=dates.deadline)
    holding = holding_period(series.restaurant.country)
    opens_at = max(now, dates.opens_at)
    errors = validate_terms(terms, now=opens_at, zone=zone, holding=holding)
    least = least_charge(series.restaurant.currency).amount
    if terms.special_price < least:
        sum_ = formats.money(least, series.restaurant.currency)
        too_low = f"The price must be at least {sum_}, the smallest amount a card can be charged."
        errors.append(FieldError("specialOfferPrice", too_low))
    if errors:
        raise Invalid.because(errors)


def _refuse_if_stopped(series: OfferSeries) -> None:
    if series.stopped_at is not None:
        raise Conflict(HAS_STOPPED)


def _record_change(series: OfferSeries, *, now: datetime, **details: Any) -> None:
    about, where = ("series", series.pk), series.restaurant_id
    record(Kind.SERIES_CHANGED, restaurant=where, about=about, now=now, **details)


def suggested_terms(offer: SpecialOffer) -> dict[str, Any]:
    """What the form of a new series is filled with: the special's own prices, day, and hours."""
    days, at = days_before(offer, offer.restaurant.zone)
    return {
        "regular_price": offer.regular_price,
        "special_price": offer.special_price,
        "min_preorders": offer.min_preorders,
        "max_preorders": offer.max_preorders,
        "weekday": offer.serve_date.weekday(),
        "deadline_days_before": days,
        "deadline_time": at,
        "opens_days_before": 6,
    }
