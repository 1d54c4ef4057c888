"""Versions of what people edit: two who edit the same thing notice each other (decision 132)."""

import hashlib
import json
from collections.abc import Callable
from decimal import Decimal

from apps.common.error_codes import ErrorCode
from apps.common.errors import Conflict

EDITED_MEANWHILE = (
    "{name} was changed in the meantime, so nothing was saved. Reload it and make your change "
    "again."
)


class EditedMeanwhile(Conflict):
    """Somebody has changed the thing since the version that the editor saw."""

    code = ErrorCode.EDITED_MEANWHILE

    def __init__(self, name: str) -> None:
        super().__init__(EDITED_MEANWHILE.format(name=name))

    def with_current(self, current: object) -> "EditedMeanwhile":
        """The same refusal, with what is stored now: the editor can compare and send again."""
        self.extra["current"] = current
        return self


def version_of(stated: object) -> str:
    """A short hash of these values, which changes with any of them."""
    # Keys sorted, because PostgreSQL stores those of JSON columns in an order of its own.
    text = json.dumps(stated, sort_keys=True, default=_in_words)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _in_words(value: object) -> str:
    """24 and 24.00 are the same price, before and after the database has stored it."""
    return format(value.normalize(), "f") if isinstance(value, Decimal) else str(value)


def require_version(seen: str, current: Callable[[], str], *, name: str) -> None:
    """Raises EditedMeanwhile unless `seen` is current; an editor who names no version isn't
    checked."""
    if seen and seen != current():
        raise EditedMeanwhile(name)
