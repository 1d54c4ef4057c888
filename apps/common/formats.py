"""How money, days and moments read to a person: the one place for pages, letters and sentences."""

from datetime import date, datetime
from decimal import Decimal
from zoneinfo import ZoneInfo

from apps.common.money import Money

_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_MINUTE = 60
_HOUR = 60 * _MINUTE
_DAY = 24 * _HOUR


def money(amount: Decimal | str | int | Money) -> str:
    """`$1,234.50` from dollars or Money."""
    return str(amount if isinstance(amount, Money) else Money.of(amount))


def rate(value: Decimal) -> str:
    """A percentage without idle zeros: `8%`, `8.25%`."""
    return f"{value.normalize():f}%"


def day(value: date) -> str:
    """`Thu, Nov 26`."""
    return f"{_DAYS[value.weekday()]}, {_MONTHS[value.month - 1]} {value.day}"


def moment(value: datetime, zone: ZoneInfo) -> str:
    """`Tue, Nov 24, 6:00 PM EST`: in the restaurant's zone, which is named."""
    local = value.astimezone(zone)
    hour = local.hour % 12 or 12
    half = "AM" if local.hour < 12 else "PM"
    return f"{day(local)}, {hour}:{local.minute:02} {half} {local.tzname()}"


def time_left(seconds: float) -> str:
    """'Nd Nh Nm', 'Nh Nm', 'Nm' or 'Expired' (C26); the last minute reads '1m' to its end."""
    if seconds <= 0:
        return "Expired"
    whole = int(seconds)
    days, hours, minutes = whole // _DAY, whole % _DAY // _HOUR, whole % _HOUR // _MINUTE
    if days:
        return f"{days}d {hours}h {minutes}m"
    if hours:
        return f"{hours}h {minutes}m"
    return f"{max(1, minutes)}m"


def count(number: int, noun: str) -> str:
    """`1 portion`, `3 portions`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def span(start: datetime, end: datetime, zone: ZoneInfo) -> str:
    """`5:30–6:00 PM`, or `11:30 AM – 12:15 PM` across noon: times of one day, in `zone`."""
    first, last = start.astimezone(zone), end.astimezone(zone)
    if (first.hour < 12) == (last.hour < 12):
        return f"{_clock(first)}–{_clock(last)} {_half(last)}"
    return f"{_clock(first)} {_half(first)} – {_clock(last)} {_half(last)}"


def _clock(local: datetime) -> str:
    return f"{local.hour % 12 or 12}:{local.minute:02}"


def _half(local: datetime) -> str:
    return "AM" if local.hour < 12 else "PM"
