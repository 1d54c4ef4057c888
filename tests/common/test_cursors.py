"""Where a list goes on: what a cursor says comes back, an invented one starts at the beginning."""

from datetime import UTC, datetime
from uuid import UUID
from zoneinfo import ZoneInfo

import pytest

from apps.common.cursors import cursor_after, moment_and_key, text_and_key

KEY = UUID(int=7)


def test_a_moment_comes_back_to_the_microsecond_and_needs_no_escaping():
    moment = datetime(2026, 11, 22, 12, 30, 0, 123456, tzinfo=ZoneInfo("America/New_York"))
    cursor = cursor_after(moment, KEY)
    assert cursor == f"2026-11-22T17:30:00.123456Z|{KEY}"
    assert moment_and_key(cursor) == (moment.astimezone(UTC), KEY)


def test_a_name_comes_back_whatever_stands_in_it():
    assert text_and_key(cursor_after("half | half", KEY)) == ("half | half", KEY)


@pytest.mark.parametrize(
    "cursor",
    [None, "", "|", f"yesterday|{KEY}", f"2026-11-22T17:30:00|{KEY}", "2026-11-22T17:30:00Z|7"],
)
def test_a_cursor_that_cannot_be_read_is_none(cursor):
    assert moment_and_key(cursor) is None


@pytest.mark.parametrize("cursor", [None, "", "a|b", f"a\0b|{KEY}"])
def test_a_name_that_cannot_be_read_is_none(cursor):
    assert text_and_key(cursor) is None
