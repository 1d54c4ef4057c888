"""Queues tasks for the background workers."""

from functools import partial
from typing import Any

from celery import Task
from django.db import transaction


def after_commit(task: "Task[..., Any]", *args: object) -> None:
    """Queue `task` once the current transaction commits, so it never sees uncommitted rows.

    If the broker is down, the error is logged and swallowed: the data is already committed, and
    every such task has a scheduled sweep that finds its work by state.
    """
    transaction.on_commit(partial(task.delay, *args), robust=True)
