"""Work handed to a worker once the present transaction is committed.

By name, so that what decides need not know what carries out. A message that is lost costs time,
never money: each of these has a sweep in the schedule that finds the same work by its state.
"""

from uuid import UUID

from celery import current_app

from apps.common.background import after_commit


def _send(task: str, key: object) -> None:
    after_commit(current_app.tasks[task], str(key))


def run_operation(operation_id: int) -> None:
    _send("preorders.run_operation", operation_id)


def send_mail(mail_id: UUID) -> None:
    _send("preorders.send_mail", mail_id)


def close_offer(offer_id: UUID) -> None:
    _send("preorders.close_offer", offer_id)
