"""Opening hours: for each weekday, the time ranges a restaurant is open, in its own time zone.

`{"monday": [{"opens": "11:30", "closes": "14:30"}, {"opens": "17:00", "closes": "01:00"}]}`: a
missing day is closed, and a range that closes before it opens continues past midnight.
"""

import re
from itertools import groupby
from typing import Any

from django.utils.text import capfirst

from apps.common import formats

DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
MAX_RANGES_PER_DAY = 4
MAX_TEXT_CHARACTERS = 500
_CLOCK = re.compile(r"([01][0-9]|2[0-3]):[0-5][0-9]", re.ASCII)
_MINUTES_A_DAY = 24 * 60

Hours = dict[str, list[dict[str, str]]]


class NotHours(ValueError):
    """These opening hours are invalid; the message is for the user."""


def read_hours(sent: Any) -> Hours | str:
    """Opening hours as they are stored, sorted; free text is stored as written.

    Raises NotHours.
    """
    if sent is None:
        return {}
    if isinstance(sent, str):
        return _words(sent)
    if not isinstance(sent, dict):
        raise NotHours("Send the opening hours by weekday, or as text.")
    unknown = [day for day in sent if day not in DAYS]
    if unknown:
        raise NotHours("Use the days monday to sunday.")
    read = {day: _day(day, sent[day]) for day in DAYS if sent.get(day)}
    return {day: spans for day, spans in read.items() if spans}


def in_words(hours: Hours | str) -> str:
    """`Mon–Thu 5–10 PM; Fri 11:30 AM–2:30 PM, 5 PM–1 AM`: the entries on one line."""
    return "; ".join(entries_of(hours))


def entries_of(hours: Hours | str) -> list[str]:
    """One entry, in the active language, for equal days in a row. Free text is one entry."""
    if isinstance(hours, str):
        return [hours] if hours else []
    entries = []
    for spans, days in groupby(DAYS, key=lambda day: hours.get(day)):
        if spans:
            names = [formats.short_weekday(DAYS.index(day)) for day in days]
            name = names[0] if len(names) == 1 else f"{names[0]}–{names[-1]}"
            entries.append(f"{name} {', '.join(_span_in_words(each) for each in spans)}")
    return [*map(capfirst, entries[:1]), *entries[1:]]


def _span_in_words(span: dict[str, str]) -> str:
    opens, closes = span["opens"], span["closes"]
    same_half = (opens < "12") == (closes < "12") and opens < closes
    return f"{_time(opens, with_half=not same_half)}–{_time(closes)}"


def _time(clock: str, *, with_half: bool = True) -> str:
    hour, minute = int(clock[:2]), clock[3:]
    minutes = "" if minute == "00" else f":{minute}"
    half = f" {formats.half_of_day(hour)}" if with_half else ""
    return f"{hour % 12 or 12}{minutes}{half}"


def _words(sent: str) -> Hours | str:
    text = sent.strip()
    if len(text) > MAX_TEXT_CHARACTERS:
        raise NotHours(f"Use at most {MAX_TEXT_CHARACTERS} characters.")
    return text or {}


def _day(day: str, sent: Any) -> list[dict[str, str]]:
    name = day.capitalize()
    if not isinstance(sent, list):
        raise NotHours(f"Send the hours for {name} as a list.")
    if len(sent) > MAX_RANGES_PER_DAY:
        raise NotHours(f"Use at most {MAX_RANGES_PER_DAY} time ranges for {name}.")
    spans = sorted((_span(name, each) for each in sent), key=lambda span: span["opens"])
    ends = -1
    for span in spans:
        opens, closes = _minutes(span["opens"]), _minutes(span["closes"])
        if opens < ends:
            raise NotHours(f"The hours for {name} overlap. Change one of them.")
        ends = closes if closes > opens else closes + _MINUTES_A_DAY
    return spans


def _span(name: str, sent: Any) -> dict[str, str]:
    opens, closes = (
        (sent.get("opens"), sent.get("closes")) if isinstance(sent, dict) else (None, None)
    )
    for moment in (opens, closes):
        if not isinstance(moment, str) or not _CLOCK.fullmatch(moment):
            raise NotHours(f"Enter both times for {name}, such as 11:30 and 22:00.")
    if opens == closes:
        raise NotHours(f"The hours for {name} start and end at the same time. Change one of them.")
    return {"opens": str(opens), "closes": str(closes)}


def _minutes(clock: str) -> int:
    return int(clock[:2]) * 60 + int(clock[3:])
