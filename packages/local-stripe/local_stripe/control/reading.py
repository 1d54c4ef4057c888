"""Reading a command's value."""

from typing import Any

from ..server import Call
from ..store import Json


class BadCommand(Exception):
    """A command that can't be run; the message says why."""


def only(given: Any, name: str, known: tuple[str, ...]) -> Json:
    if not isinstance(given, dict):
        raise BadCommand(f"{name}: pass an object with the keys {', '.join(known)}.")
    unknown = sorted(given.keys() - set(known))
    if unknown:
        raise BadCommand(f"{name}: unknown keys {', '.join(unknown)}. Known: {', '.join(known)}.")
    return given


def one_of(value: Any, name: str, choices: tuple[str, ...]) -> str:
    if value not in choices:
        raise BadCommand(f"{name}: {value!r} is not one of {', '.join(choices)}.")
    return str(value)


def account_of(call: Call, object_id: str) -> str | None:
    """The account that an object belongs to; None is the platform."""
    row = call.store.get(object_id)
    return row.account if row else None
