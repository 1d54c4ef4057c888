"""Publishes the specials of series when they open; the sweep can run twice, and die anywhere.

One transaction locks the series, publishes, and writes the date's row, which is unique: what a
crash undid is done again, and what is done isn't repeated.
"""

from datetime import date, datetime, timedelta
from uuid import UUID

from django.db import transaction

from apps.common.errors import DomainError
from apps.offers.models import OfferSeries, PickupSlot, SeriesDate, SpecialOffer
from apps.offers.series.schedule import WEEK, Dates, dates_from, local_moment
from apps.offers.series.services import terms_for
from apps.offers.services import publish_offer
from apps.restaurants.models import Restaurant

RETRY_REFUSED = timedelta(minutes=15)
SWEEP_LIMIT = 500  # series per sweep


def due_series(*, now: datetime) -> list[tuple[UUID, UUID]]:
    """`(restaurant, series)` of what may be due. Read as the platform."""
    active = OfferSeries.objects.filter(restaurant__status=Restaurant.Status.ACTIVE)
    due = active.filter(stopped_at=None, due_at__lte=now).order_by("due_at")
    return list(due.values_list("restaurant_id", "pk")[:SWEEP_LIMIT])


def refusals_to_tell(*, now: datetime) -> list[tuple[UUID, int]]:
    """`(restaurant, date)` of refused specials whose owners weren't emailed. Read as the platform;
    older ones are left: nobody needs to hear of last week's."""
    unsent = SeriesDate.objects.filter(status=SeriesDate.Status.REFUSED, emailed_at=None)
    recent = unsent.filter(at__gt=now - timedelta(days=2))
    return list(recent.values_list("restaurant_id", "pk")[:SWEEP_LIMIT])


@transaction.atomic
def publish_due(series_id: UUID, *, now: datetime) -> list[SpecialOffer]:
    """Publish what this series has to publish by now, and plan its next date.

    A refusal is recorded with its reason, and tried again until the date's deadline: the owner may
    have completed the profile by then. Acts as the series' restaurant.
    """
    rows = OfferSeries.objects.select_related("restaurant", "pattern__photo")
    series = rows.select_for_update(of=("self",)).filter(pk=series_id).first()
    if series is None or series.stopped_at is not None or series.due_at > now:
        return []
    published: list[SpecialOffer] = []
    for dates in dates_from(series, series.next_serve_date, series.restaurant.zone):
        existing = series.dates.filter(serve_date=dates.serve_date).first()
        is_done = existing is not None and existing.status != SeriesDate.Status.REFUSED
        if not is_done and dates.deadline > now:
            if dates.opens_at > now:
                _plan(series, dates.serve_date, due_at=dates.opens_at)
                break
            try:
                published.append(_publish(series, dates, now=now))
            except DomainError as refusal:
                _write(series, dates, SeriesDate.Status.REFUSED, now=now, refusal=refusal.message)
                _plan(series, dates.serve_date, due_at=now + RETRY_REFUSED)
                break
        elif not is_done:
            _write(series, dates, SeriesDate.Status.MISSED, now=now)
    return published


@transaction.atomic
def _publish(series: OfferSeries, dates: Dates, *, now: datetime) -> SpecialOffer:
    """The special and its row, or neither. Raises DomainError as `publish_offer` does."""
    terms = terms_for(series, serve_date=dates.serve_date, deadline=dates.deadline)
    values = {name: getattr(terms, name) for name in terms.__slots__}
    offer = publish_offer(restaurant=series.restaurant, terms=values, now=now)
    _copy_slots(series.pattern, offer)
    _write(series, dates, SeriesDate.Status.PUBLISHED, now=now, offer=offer)
    return offer


def _copy_slots(pattern: SpecialOffer, offer: SpecialOffer) -> None:
    """The pattern's pickup times at the same local hours of the new serve date."""
    zone = offer.restaurant.zone
    shift = offer.serve_date - pattern.serve_date

    def moved(moment: datetime) -> datetime:
        local = moment.astimezone(zone)
        return local_moment(local.date() + shift, local.time(), zone)

    PickupSlot.objects.bulk_create(
        PickupSlot(
            offer=offer,
            restaurant_id=offer.restaurant_id,
            starts_at=moved(slot.starts_at),
            ends_at=moved(slot.ends_at),
            capacity=slot.capacity,
        )
        for slot in PickupSlot.objects.filter(offer=pattern)
    )


def _write(
    series: OfferSeries,
    dates: Dates,
    status: SeriesDate.Status,
    *,
    now: datetime,
    offer: SpecialOffer | None = None,
    refusal: str = "",
) -> None:
    values = {"status": status, "offer": offer, "refusal": refusal[:500], "at": now}
    row, is_new = series.dates.get_or_create(
        serve_date=dates.serve_date, defaults={"restaurant": series.restaurant, **values}
    )
    if not is_new:
        # The time of a refusal is that of its first, which the owner was told of.
        if status == SeriesDate.Status.REFUSED == row.status:
            values["at"] = row.at
        for name, value in values.items():
            setattr(row, name, value)
        row.save(update_fields=list(values))
    if status != SeriesDate.Status.REFUSED:
        _plan(series, dates.serve_date + WEEK, due_at=now)


def _plan(series: OfferSeries, serve_date: date, *, due_at: datetime) -> None:
    series.next_serve_date, series.due_at = serve_date, due_at
    series.save(update_fields=["next_serve_date", "due_at"])
