"""Short codes people can say aloud."""

from uuid import UUID


def order_code(order_id: UUID) -> str:
    """The last 8 characters of the id, upper case (C28)."""
    return str(order_id)[-8:].upper()
