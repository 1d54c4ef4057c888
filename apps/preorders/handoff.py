"""Work handed to a worker once the present transaction is committed.

By name, so that what decides need not know what carries out. A message that is lost costs time,
never money: each of these has a sweep in the schedule that finds the same work by its state.
"""

from functools import partial
from uuid import UUID

from celery import current_app
from django.db import transaction


def _send(task: str, key: object) -> None:
    transaction.on_commit(partial(current_app.send_task, task, args=[str(key)]), robust=True)


def run_operation(operation_id: int) -> None:
    _send("preorders.run_operation", operation_id)


def send_mail(mail_id: UUID) -> None:
    _send("preorders.send_mail", mail_id)


def close_offer(offer_id: UUID) -> None:
    _send("preorders.close_offer", offer_id)
