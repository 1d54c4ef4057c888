"""The email to owners when a weekly special couldn't be published."""

from apps.common import formats
from apps.common.emails import EmailAction, name_in_subject, one_line, platform_email
from apps.offers.images import photo_address
from apps.offers.models import SeriesDate
from apps.offers.series.schedule import dates_of
from apps.restaurants.hosts import absolute_url


def send_not_published(row: SeriesDate, *, to: str) -> None:
    """Say which special isn't online, why, and until when it can still be."""
    series, restaurant = row.series, row.restaurant
    dates = dates_of(series, row.serve_date, restaurant.zone)
    page = absolute_url(f"/restaurant/series/{series.pk}")
    message = platform_email(
        "offers/emails/series_not_published.txt",
        to=to,
        action=EmailAction("Fix the weekly special", page),
        reason=f"You're getting this email because you're an owner of {restaurant.name}.",
        facts={
            "short_dish": name_in_subject(series.pattern.name),
            "why": row.refusal,
            "deadline": formats.moment(dates.deadline, restaurant.zone),
        },
        shown={
            "about": {
                "name": one_line(series.pattern.name),
                "photo": photo_address(series.pattern.photo, restaurant),
                "when": formats.day(row.serve_date),
                "when_parts": [formats.day(row.serve_date)],
                "sum": f"{formats.money(series.special_price, restaurant.currency)} a portion",
                "url": page,
            }
        },
    )
    # A retry after a crash sends the same Message-ID, so email programs can drop the duplicate.
    message.extra_headers["Message-ID"] = f"<series-date.{row.pk}@fully-booked>"
    message.send()
