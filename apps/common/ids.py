"""Short codes people can say aloud."""

import secrets
from uuid import UUID


def order_code(order_id: UUID) -> str:
    """The last 8 characters of the id, upper case (C28)."""
    return str(order_id)[-8:].upper()


def share_code() -> str:
    """A new code for a share link: says nothing, and cannot be guessed from another one."""
    return secrets.token_hex(6)
