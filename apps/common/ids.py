"""Ids: random ones, short codes that people can say aloud, and ids that clients send."""

import secrets
from typing import Any
from uuid import UUID, uuid4

# Spreadsheets read all digits, or digits with one E (`12E45678`), as a number.
_NEVER_IN_A_NUMBER = frozenset("ABCDF")


def order_id() -> UUID:
    """A new random order id whose code a spreadsheet can't mistake for a number."""
    while True:
        drawn = uuid4()
        if _NEVER_IN_A_NUMBER.intersection(order_code(drawn)):
            return drawn


def order_code(order_id: UUID) -> str:
    """The order code that guests and staff use: the id's last 8 characters, in upper case."""
    return str(order_id)[-8:].upper()


def share_code() -> str:
    """A new random code for a share link."""
    return secrets.token_hex(6)


def parse_uuid(value: Any) -> UUID | None:
    """The UUID a client wrote, or None for anything else."""
    try:
        return UUID(str(value))
    except ValueError:
        return None
