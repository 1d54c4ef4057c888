"""Background work in tests: nothing reaches a broker, and a test says when the worker runs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from celery import Task
from django.db import connection
from kombu.utils.json import dumps, loads

from apps.common import rls

if TYPE_CHECKING:
    AnyTask = Task[..., Any]


@dataclass
class TaskQueue:
    """What was queued so far, oldest first; call it to let a worker do all of it."""

    waiting: list[tuple[AnyTask, tuple[Any, ...], dict[str, Any]]] = field(default_factory=list)

    @property
    def names(self) -> list[str]:
        return [task.name for task, _, _ in self.waiting]

    def add(self, task: AnyTask, args: Any = None, kwargs: Any = None, **options: Any) -> None:
        # Serialized as for a broker, so that a task gets what it would get from a message.
        sent, named = loads(dumps([list(args or ()), dict(kwargs or {})]))
        assert not {"countdown", "eta"} & set(options), f"{task.name} is not to be run at once"
        self.waiting.append((task, tuple(sent), named))

    def __call__(self) -> list[str]:
        """Run what is queued, and what that queues, as a worker would: acting as nobody.

        Inside a test's own transaction the hooks that wait for its commit are run first. Answers
        the names of the tasks, in order; a task's exception is the caller's.
        """
        done = []
        self._commit_hooks()
        while self.waiting:
            task, args, kwargs = self.waiting.pop(0)
            with rls.acting_as(None):
                task.apply(args=args, kwargs=kwargs, throw=True)
            done.append(task.name)
            self._commit_hooks()
        return done

    @staticmethod
    def _commit_hooks() -> None:
        hooks: list[Any] = connection.run_on_commit
        while hooks:
            _, hook, _ = hooks.pop(0)
            hook()
