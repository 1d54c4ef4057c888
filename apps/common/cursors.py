"""Where a list's next page begins: after a row's value and key, so that new rows shift nothing."""

from datetime import UTC, datetime
from uuid import UUID


def cursor_after(value: datetime | str, key: UUID) -> str:
    """What a client sends back to go on after the row sorted by `value` and `key`. A moment with a
    Z, since a plus sign does not survive a careless URL."""
    if isinstance(value, datetime):
        value = f"{value.astimezone(UTC).replace(tzinfo=None).isoformat()}Z"
    return f"{value}|{key}"


def moment_and_key(cursor: str | None) -> tuple[datetime, UUID] | None:
    """The row of a list sorted by moments; None for no cursor and for one that cannot be read."""
    if (place := text_and_key(cursor)) is None:
        return None
    text, key = place
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return (moment, key) if moment.tzinfo else None


def text_and_key(cursor: str | None) -> tuple[str, UUID] | None:
    """The row of a list sorted by words; None for no cursor and for one that cannot be read."""
    text, _, key = (cursor or "").rpartition("|")
    try:
        place = text, UUID(key)
    except ValueError:
        return None
    return None if "\0" in text else place
