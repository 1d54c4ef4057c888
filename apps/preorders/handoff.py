"""Work handed to a worker once the present transaction is committed.

By name, so that what decides need not know what carries out. A message that is lost costs time,
never money: each of these has a sweep in the schedule that finds the same work by its state.
"""

from collections.abc import Sequence
from uuid import UUID

from celery import current_app

from apps.common.background import after_commit

# So many operations travel in one message: a message costs a worker about as much as a tenth of an
# operation, and a share this small is still spread over all workers.
TOGETHER = 10


def _send(task: str, key: object) -> None:
    after_commit(current_app.tasks[task], str(key))


def run_operation(operation_id: int) -> None:
    run_operations([operation_id])


def run_operations(operation_ids: Sequence[int]) -> None:
    for start in range(0, len(operation_ids), TOGETHER):
        share = list(operation_ids[start : start + TOGETHER])
        after_commit(current_app.tasks["preorders.run_operations"], share)


def send_mail(mail_id: UUID) -> None:
    _send("preorders.send_mail", mail_id)


def close_offer(offer_id: UUID) -> None:
    _send("preorders.close_offer", offer_id)
