"""Pagination cursors: the sort value and key of a page's last row.

Unlike page numbers, they stay correct when new rows arrive.
"""

from datetime import UTC, datetime
from uuid import UUID


def cursor_after(value: datetime | str, key: UUID) -> str:
    """The cursor for the page after the row with this sort value and key.

    Times end in Z, because a plus sign that isn't escaped becomes a space in a URL.
    """
    if isinstance(value, datetime):
        value = f"{value.astimezone(UTC).replace(tzinfo=None).isoformat()}Z"
    return f"{value}|{key}"


def moment_and_key(cursor: str | None) -> tuple[datetime, UUID] | None:
    """The time and key in a cursor; None if there is no cursor or it is malformed."""
    if (place := text_and_key(cursor)) is None:
        return None
    text, key = place
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return (moment, key) if moment.tzinfo else None


def text_and_key(cursor: str | None) -> tuple[str, UUID] | None:
    """The text and key in a cursor; None if there is no cursor or it is malformed."""
    text, _, key = (cursor or "").rpartition("|")
    try:
        place = text, UUID(key)
    except ValueError:
        return None
    return None if "\0" in text else place
