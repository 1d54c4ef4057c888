"""Queues preorders' background work once the current transaction commits.

Tasks are queued by name, so that the code that decides doesn't import the code that executes. A
lost message costs time, never money: a scheduled sweep finds the same work by its state.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from uuid import UUID

from celery import current_app
from django.db import transaction

from apps.common.background import after_commit

# A message carries a lane of operations; a worker does a slice of it and puts the rest at the end
# of the queue. One offer has fewer lanes than the settlement worker has threads (Procfile), so that
# other specials due at the same moment begin at once, however large it is. At 0.4 seconds a call,
# 24 lanes make Stripe's 25 charges a second.
MAX_LANES = 24
# How many operations are charged before they are recorded together.
OPERATIONS_PER_SLICE = 20
# How many of them are read and claimed at once.
CLAIMED_AT_ONCE = 10

_gathered: ContextVar[list[str] | None] = ContextVar("gathered_emails", default=None)


def _send(task: str, *arguments: object) -> None:
    after_commit(current_app.tasks[task], *arguments)


def enqueue_operation(operation_id: int) -> None:
    """Queue one operation."""
    enqueue_operations([operation_id])


def enqueue_operations(operation_ids: Sequence[int], *, restaurant_id: UUID | None = None) -> None:
    """Queue operations, spread over as many lanes as there are operations, up to `MAX_LANES`.

    `restaurant_id`: set if all of them belong to one restaurant; the worker then acts as it.
    """
    acting = str(restaurant_id) if restaurant_id else None
    lanes = min(MAX_LANES, len(operation_ids))
    for lane in range(lanes):
        _send("preorders.run_operations", list(operation_ids[lane::lanes]), acting)


def enqueue_rest(operation_ids: Sequence[int], acting: str | None) -> None:
    """Put the rest of a lane behind what is queued meanwhile."""
    if operation_ids:
        _send("preorders.run_operations", list(operation_ids), acting)


def enqueue_email(email_id: UUID) -> None:
    """Queue an email; inside `batched_emails` it waits for the others of the block."""
    gathered = _gathered.get()
    if gathered is None:
        _send("preorders.send_emails", [str(email_id)])
    else:
        transaction.on_commit(partial(gathered.append, str(email_id)))


@contextmanager
def batched_emails() -> Iterator[None]:
    """Queue all emails that the block creates in one message at its end."""
    emails: list[str] = []
    token = _gathered.set(emails)
    try:
        yield
    finally:
        _gathered.reset(token)
        transaction.on_commit(partial(_send_gathered, emails), robust=True)


def _send_gathered(emails: list[str]) -> None:
    if emails:
        current_app.tasks["preorders.send_emails"].delay(emails)


def enqueue_list_of_orders(address: str, restaurant_id: UUID | None) -> None:
    """Queue the email with the links to an address's orders; without a restaurant, at any."""
    _send("preorders.email_orders", address, str(restaurant_id) if restaurant_id else None)


def enqueue_checkout_end(order_id: UUID) -> None:
    """Queue the end of a canceled order's checkout."""
    _send("preorders.end_checkout", str(order_id))


def enqueue_closing(offer_id: UUID) -> None:
    """Queue the closing of an offer past its deadline."""
    _send("preorders.close_offer", str(offer_id))


def enqueue_expirations() -> None:
    """Queue a run over the offers past their deadline."""
    _send("preorders.process_expirations")
