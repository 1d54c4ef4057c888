"""Ids: random ones, the short codes people can say aloud, and reading those of clients."""

import secrets
from typing import Any
from uuid import UUID, uuid4

# A code of digits alone, or with an E between them, is a number to a spreadsheet: `12E45678`.
_NEVER_IN_A_NUMBER = frozenset("ABCDF")


def order_id() -> UUID:
    """A new random id for an order, whose code nothing takes for a number."""
    while True:
        drawn = uuid4()
        if _NEVER_IN_A_NUMBER.intersection(order_code(drawn)):
            return drawn


def order_code(order_id: UUID) -> str:
    """The last 8 characters of the id, upper case (C28)."""
    return str(order_id)[-8:].upper()


def share_code() -> str:
    """A new code for a share link: says nothing, and cannot be guessed from another one."""
    return secrets.token_hex(6)


def parse_uuid(value: Any) -> UUID | None:
    """The UUID a client wrote, or None for anything else."""
    try:
        return UUID(str(value))
    except ValueError:
        return None
