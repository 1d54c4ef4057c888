"""Handing work to a worker."""

from functools import partial
from typing import Any

from celery import Task
from django.db import transaction


def after_commit(task: "Task[..., Any]", *args: object) -> None:
    """Queue `task` once the present transaction is committed; it never sees what is not there.

    A broker that does not answer must not undo or fail what is committed already, so that fault is
    logged and swallowed: every such task has a sweep in the schedule that finds its work by state.
    """
    transaction.on_commit(partial(task.delay, *args), robust=True)
