"""Formats money, dates, and times for people, in the active language.

Amounts use American number format in every language, because our Spanish is that of the United
States, with the symbol of the restaurant's currency (decision 36). The front end formats in the
same way (`frontend/src/lib/times.ts`, `money.ts`).
"""

import re
from datetime import date, datetime
from decimal import Decimal
from functools import lru_cache
from zoneinfo import ZoneInfo

from babel import Locale
from babel.dates import format_date, get_day_names, get_period_names
from babel.lists import format_list
from django.utils.translation import gettext, ngettext

from apps.common.currencies import sign_of
from apps.common.languages import spoken
from apps.common.money import Money

# How a day is written in each language; names of days and months come from Babel. A language that
# is not named here is written the way Babel writes a full date.
_DAY_PATTERNS = {"en": "EEE, MMM d", "es": "EEE d MMM"}
_MINUTE = 60
_HOUR = 60 * _MINUTE
_DAY = 24 * _HOUR


def money(amount: Decimal | str | int | Money, currency: str) -> str:
    """`$1,234.50`, `-€2.21`, or `CHF 8.00`, from Money or an amount in whole currency units."""
    exact = amount if isinstance(amount, Money) else Money.of(amount)
    minus = "-" if exact.cents < 0 else ""
    return f"{minus}{sign_of(currency)}{abs(exact.amount):,.2f}"


def percentage(value: Decimal) -> str:
    """A percentage for programs, with two to four decimals: `8.00`, `8.875`."""
    whole, _, decimals = f"{value:.4f}".partition(".")
    return f"{whole}.{decimals.rstrip('0'):0<2}"


def rate(value: Decimal) -> str:
    """A percentage without trailing zeros: `8%`, `8.25%`."""
    return f"{value.normalize():f}%"


def day(value: date) -> str:
    """`Thu, Nov 26`, `jue 26 nov`."""
    return _day(value.year, value.month, value.day, spoken())


# Cached, because a list of orders repeats the same few days on every row.
@lru_cache(maxsize=1024)
def _day(year: int, month: int, day_of_month: int, language: str) -> str:
    locale = _locale(language)
    pattern = _DAY_PATTERNS.get(locale.language, "full")
    return format_date(date(year, month, day_of_month), pattern, locale=locale)


def moment(value: datetime, zone: ZoneInfo) -> str:
    """`Tue, Nov 24, 6:00 PM EST`, `mar 24 nov, 6:00 p. m. EST`, in the given time zone."""
    local = value.astimezone(zone)
    return f"{day(local)}, {_clock(local)} {_half(local)} {local.tzname()}"


def unbroken(moment: str) -> str:
    """The same, which breaks only between its day and its time: `Tue, Nov 24,` `6:00 PM EST`. A day
    alone doesn't, nor does a long one but after its weekday: `viernes` `4 de diciembre`."""
    day_and_time = moment.rsplit(", ", 1) if ":" in moment else [moment]
    return ", ".join("\u00a0".join(part.rsplit(" ", 2)) for part in day_and_time)


# `6:00 PM EST`, `6:00 p. m. EST`, `Nov 24`, and `mar 24 nov`.
_WHOLE = re.compile(
    r"\d:\d\d (?:[AP]M|[ap]\.\sm\.)(?: [A-Z]{2,5}\b)?|\b[A-Z][a-z]{2} \d{1,2}\b"
    r"|\b(?:lun|mar|mié|jue|vie|sáb|dom) \d{1,2} [a-z]{3,4}\b",
)


def unbroken_times(text: str) -> str:
    """A text whose lines don't break within a time or a date, for narrow columns."""
    return _WHOLE.sub(lambda found: found[0].replace(" ", "\u00a0"), text)


def date_with_year(value: date) -> str:
    """`November 26, 2026`, `26 de noviembre de 2026`."""
    return format_date(value, "long", locale=_locale(spoken()))


def time_left(seconds: float) -> str:
    """`2d 3h 4m`, `3h 4m`, `4m`, or `Expired`; the last minute shows `1m` until it is over."""
    if seconds <= 0:
        return gettext("Expired")
    whole = int(seconds)
    days, hours, minutes = whole // _DAY, whole % _DAY // _HOUR, whole % _HOUR // _MINUTE
    if days:
        return f"{days}d {hours}h {minutes}m"
    if hours:
        return f"{hours}h {minutes}m"
    return f"{max(1, minutes)}m"


def portions(number: int) -> str:
    """`1 portion`, `1,200 portions`, `3 porciones`."""
    text = ngettext("%(number)s portion", "%(number)s portions", number)
    return text % {"number": f"{number:,}"}


def count(number: int, noun: str) -> str:
    """`1 order`, `3 orders`. Only portions are translated; the rest is read by restaurants."""
    if noun == "portion":
        return portions(number)
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def time_of_day(local: datetime) -> str:
    """`7:00 PM`, on the clock of the value's own time zone."""
    return f"{_clock(local)} {_half(local)}"


def span(start: datetime, end: datetime, zone: ZoneInfo | None = None) -> str:
    """`5:30–6:00 PM`, or `11:30 AM – 12:15 PM` across noon; both times are on the same day.

    In `zone`, or in the time zone of the values themselves.
    """
    first, last = (each.astimezone(zone) if zone else each for each in (start, end))
    dash = "–" if (first.hour < 12) == (last.hour < 12) else " – "
    return dash.join(ends(first, last))


def ends(start: datetime, end: datetime) -> tuple[str, str]:
    """`5:30` and `6:00 PM`, or `11:30 AM` and `12:15 PM`, in the time zone of the values."""
    in_one_half = (start.hour < 12) == (end.hour < 12)
    return _clock(start) if in_one_half else time_of_day(start), time_of_day(end)


def short_weekday(number: int) -> str:
    """`Mon`, `lun`; Monday is 0."""
    return str(get_day_names("abbreviated", locale=_locale(spoken()))[number])


def half_of_day(hour: int) -> str:
    """`AM` or `PM`, `a. m.` or `p. m.`"""
    return _half_of_day(hour < 12, spoken())


def _clock(local: datetime) -> str:
    return f"{local.hour % 12 or 12}:{local.minute:02}"


def _half(local: datetime) -> str:
    return half_of_day(local.hour)


@lru_cache
def _half_of_day(is_morning: bool, language: str) -> str:
    names = get_period_names("abbreviated", context="format", locale=_locale(language))
    # Browsers write "p. m." with a no-break space; Babel's is a narrow one.
    return str(names["am" if is_morning else "pm"]).replace("\u202f", "\u00a0")


def listed(words: list[str]) -> str:
    """`a, b, and c` in the reader's language: https://babel.pocoo.org/en/latest/api/lists.html"""
    return format_list(words, locale=_locale(spoken()))


@lru_cache
def _locale(language: str) -> Locale:
    return Locale.parse(language, sep="-")
