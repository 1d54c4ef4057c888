"""Pages of a list: where one ends, and where the next begins.

A cursor is the sort value and key of a page's last row. Unlike page numbers, cursors stay correct
when new rows arrive.
"""

from collections.abc import Callable
from datetime import UTC, datetime
from uuid import UUID

from apps.common.error_codes import ErrorCode
from apps.common.errors import FieldError, Invalid

PAGE_SIZE = 50
MAX_PAGE_SIZE = 200
INVALID_CURSOR = "We couldn't read where this list continues. Start from the beginning."
Key = UUID | int


class InvalidCursor(Invalid):
    """The cursor isn't one of this list's."""

    code = ErrorCode.INVALID_CURSOR

    def __init__(self) -> None:
        super().__init__(INVALID_CURSOR, fields=[FieldError("cursor", INVALID_CURSOR)])


def cursor_after(value: datetime | str, key: UUID | int) -> str:
    """The cursor for the page after the row with this sort value and key."""
    return f"{moment_text(value) if isinstance(value, datetime) else value}|{key}"


def moment_text(moment: datetime) -> str:
    """A time in a cursor. It ends in Z, because a plus sign that isn't escaped becomes a space in a
    URL."""
    return f"{moment.astimezone(UTC).replace(tzinfo=None).isoformat()}Z"


def moment_and_key(
    cursor: str | None, read_key: Callable[[str], Key] = UUID
) -> tuple[datetime, Key] | None:
    """The time and key in a cursor; None without one. Raises InvalidCursor."""
    if (place := text_and_key(cursor, read_key)) is None:
        return None
    text, key = place
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise InvalidCursor from None
    if not moment.tzinfo:
        raise InvalidCursor
    return moment, key


def cursor_of_page(cursor: str | None, read_key: Callable[[str], Key] = UUID) -> str | None:
    """The cursor in a page's address; a malformed one, which somebody typed, starts over."""
    try:
        moment_and_key(cursor, read_key)
    except InvalidCursor:
        return None
    return cursor


def text_and_key(
    cursor: str | None, read_key: Callable[[str], Key] = UUID
) -> tuple[str, Key] | None:
    """The text and key in a cursor; None without one. Raises InvalidCursor."""
    if not cursor:
        return None
    text, _, key = cursor.rpartition("|")
    try:
        place = text, read_key(key)
    except ValueError:
        raise InvalidCursor from None
    if "\0" in text:
        raise InvalidCursor
    return place
