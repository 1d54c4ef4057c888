"""Money, times, and waiting times in words."""

import json
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from django.utils import translation

from apps.common import formats
from apps.common.currencies import CURRENCIES, currency_choices
from apps.common.money import Money
from apps.common.templatetags.formats import whole_ranges

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (-1, "Expired"),
        (0, "Expired"),
        (1, "1m"),
        (59, "1m"),
        (61, "1m"),
        (3599, "59m"),
        (3600, "1h 0m"),
        (86_399, "23h 59m"),
        (86_400, "1d 0h 0m"),
        (101_520, "1d 4h 12m"),
    ],
)
def test_the_time_left_is_written_in_days_hours_and_minutes(seconds: int, words: str) -> None:
    assert formats.time_left(seconds) == words


def test_a_moment_names_its_zone() -> None:
    moment = datetime(2026, 11, 24, 23, 0, tzinfo=UTC)
    assert formats.moment(moment, ZoneInfo("America/New_York")) == "Tue, Nov 24, 6:00 PM EST"
    assert formats.moment(moment, ZoneInfo("UTC")) == "Tue, Nov 24, 11:00 PM UTC"
    noon = datetime(2026, 7, 4, 4, 5, tzinfo=UTC)
    assert formats.moment(noon, ZoneInfo("America/New_York")) == "Sat, Jul 4, 12:05 AM EDT"


def test_money_days_rates_and_counts_are_written_for_people() -> None:
    assert formats.money(Decimal("1234.50"), "usd") == "$1,234.50"
    assert formats.day(date(2026, 11, 26)) == "Thu, Nov 26"
    assert formats.rate(Decimal("8.00")) == "8%"
    assert formats.rate(Decimal("8.25")) == "8.25%"
    assert formats.rate(Decimal("10.00")) == "10%"
    assert (formats.count(1, "portion"), formats.count(2, "portion")) == ("1 portion", "2 portions")


@pytest.mark.parametrize("language", ["en-us", "es"])
def test_amounts_are_written_as_the_scripts_write_them(language: str) -> None:
    """The same table holds `lib/money.ts` to it."""
    amounts = json.loads((ROOT / "frontend/src/lib/amounts.json").read_text())
    assert list(amounts) == list(CURRENCIES)
    with translation.override(language):
        for currency, (much, less) in amounts.items():
            assert formats.money(Decimal("1234.50"), currency) == much
            assert formats.money(Money(-221), currency) == less


def test_an_amount_is_not_written_without_its_currency() -> None:
    assert "$" not in str(Money(1200))
    assert {each["value"]: each["label"] for each in currency_choices()} == {
        "usd": "US Dollar ($)",
        "cad": "Canadian Dollar (CA$)",
        "eur": "Euro (€)",
        "gbp": "British Pound (£)",
        "aud": "Australian Dollar (A$)",
        "nzd": "New Zealand Dollar (NZ$)",
        "chf": "Swiss Franc (CHF)",
        "mxn": "Mexican Peso (MX$)",
    }


@pytest.mark.parametrize(
    ("text", "unbroken"),
    [
        ("Tue, Nov 24, 6:00 PM EST", "Tue,~Nov~24, 6:00~PM~EST"),
        ("mar 24 nov, 6:00 p.~m. EST", "mar~24~nov, 6:00~p.~m.~EST"),
        ("Tue, Nov 24", "Tue,~Nov~24"),
        ("martes 24 de noviembre", "martes 24~de~noviembre"),
    ],
)
def test_a_line_breaks_between_a_day_and_its_time_alone(text: str, unbroken: str) -> None:
    nbsp = "\u00a0"
    assert formats.unbroken(text.replace("~", nbsp)) == unbroken.replace("~", nbsp)


@pytest.mark.parametrize(
    ("text", "unbroken"),
    [
        ("by Mon, Nov 30, 6:00 PM EST if 12", "by Mon, Nov~30, 6:00~PM~EST if 12"),
        ("el lun 30 nov, 6:00 p.~m. EST si", "el lun~30~nov, 6:00~p.~m.~EST si"),
        ("There's room at 5:30–6:00 PM, too.", "There's room at 5:30–6:00~PM, too."),
    ],
)
def test_a_sentence_breaks_within_no_time_and_no_date(text: str, unbroken: str) -> None:
    nbsp = "\u00a0"
    assert formats.unbroken_times(text.replace("~", nbsp)) == unbroken.replace("~", nbsp)


def test_spanish_has_its_own_days_and_keeps_dollars() -> None:
    new_york = ZoneInfo("America/New_York")
    moment = datetime(2026, 11, 24, 23, 0, tzinfo=UTC)
    with translation.override("es"):
        assert formats.moment(moment, new_york) == "mar 24 nov, 6:00 p.\u00a0m. EST"
        assert formats.day(date(2026, 11, 26)) == "jue 26 nov"
        assert formats.date_with_year(date(2026, 11, 26)) == "26 de noviembre de 2026"
        later = moment.replace(minute=30)
        assert formats.span(moment, later, new_york) == "6:00–6:30 p.\u00a0m."
        assert formats.money(Decimal("1234.50"), "usd") == "$1,234.50"
        assert (formats.portions(1), formats.portions(1200)) == ("1 porción", "1,200 porciones")
        assert (formats.time_left(0), formats.time_left(3600)) == ("Cerrado", "1h 0m")


@pytest.mark.parametrize(
    ("words", "english", "spanish"),
    [
        ([], "", ""),
        (["a"], "a", "a"),
        (["a", "b"], "a and b", "a y b"),
        (["a", "b", "c"], "a, b, and c", "a, b y c"),
    ],
)
def test_a_list_has_a_comma_before_its_last_item_in_english_alone(
    words: list[str], english: str, spanish: str
) -> None:
    assert formats.listed(words) == english
    with translation.override("es"):
        assert formats.listed(words) == spanish


def test_a_range_of_times_stays_whole_at_its_dash():
    whole = '<span class="whitespace-nowrap">6:00–10:00</span>'
    assert whole_ranges("6:00–10:00 p. m.") == f"{whole} p. m."
    hours = '<span class="whitespace-nowrap">11:30 AM–2:30 PM</span>'
    assert whole_ranges("Fri–Sat 11:30 AM–2:30 PM, noon") == f"Fri–Sat {hours}, noon"
    assert whole_ranges("Fri <b>") == "Fri &lt;b&gt;"
