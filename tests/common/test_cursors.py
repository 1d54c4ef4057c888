"""Cursors of lists: what one contains can be read back, and a made-up one is refused."""

from datetime import UTC, datetime
from uuid import UUID
from zoneinfo import ZoneInfo

import pytest

from apps.common.cursors import (
    InvalidCursor,
    cursor_after,
    cursor_of_page,
    moment_and_key,
    text_and_key,
)

KEY = UUID(int=7)


def test_a_moment_comes_back_to_the_microsecond_and_needs_no_escaping():
    moment = datetime(2026, 11, 22, 12, 30, 0, 123456, tzinfo=ZoneInfo("America/New_York"))
    cursor = cursor_after(moment, KEY)
    assert cursor == f"2026-11-22T17:30:00.123456Z|{KEY}"
    assert moment_and_key(cursor) == (moment.astimezone(UTC), KEY)


def test_a_name_comes_back_whatever_stands_in_it():
    assert text_and_key(cursor_after("half | half", KEY)) == ("half | half", KEY)


def test_the_first_page_has_no_cursor():
    for nothing in (None, ""):
        assert moment_and_key(nothing) is None
        assert text_and_key(nothing) is None


@pytest.mark.parametrize(
    "cursor", ["|", f"yesterday|{KEY}", f"2026-11-22T17:30:00|{KEY}", "2026-11-22T17:30:00Z|7"]
)
def test_a_cursor_that_cannot_be_read_is_refused(cursor):
    with pytest.raises(InvalidCursor):
        moment_and_key(cursor)


@pytest.mark.parametrize("cursor", ["a|b", f"a\0b|{KEY}"])
def test_a_name_that_cannot_be_read_is_refused(cursor):
    with pytest.raises(InvalidCursor):
        text_and_key(cursor)


def test_in_a_pages_address_one_that_cannot_be_read_starts_over():
    readable = cursor_after(datetime(2026, 11, 22, tzinfo=UTC), KEY)
    assert cursor_of_page(readable) == readable
    assert [cursor_of_page(each) for each in ("x", "", None, f"a\0b|{KEY}")] == [
        None,
        "",
        None,
        None,
    ]
