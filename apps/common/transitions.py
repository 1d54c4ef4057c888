"""State transitions: the only way a status column changes.

A conditional `UPDATE … WHERE status = old` lets exactly one of several concurrent callers win, and
the audit row is written in the same transaction.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import models, transaction

Allowed = Mapping[str, frozenset[str]]
REASON_CODE_LENGTH, REASON_LENGTH, ACTOR_LENGTH = 60, 200, 100  # characters


class IllegalTransition(Exception):
    """The state machine doesn't allow this change; always a bug, never a user's mistake."""


class StaleState(Exception):
    """Another process changed the row's state since it was read."""


@dataclass(frozen=True, slots=True)
class Cause:
    """Why something changed: a `code` for programs, a person's own `reason`, and the `actor`.

    All are empty for a change that explains itself.
    """

    code: str = ""
    reason: str = ""
    actor: str = ""

    @property
    def columns(self) -> dict[str, str]:
        """The columns of a record that stores the cause, cut to their size."""
        return {
            "reason_code": self.code[:REASON_CODE_LENGTH],
            "reason": self.reason[:REASON_LENGTH],
            "actor": self.actor[:ACTOR_LENGTH],
        }


UNEXPLAINED = Cause()


class TransitionRecord(models.Model):
    """The audit row of one state change: field, old and new value, time (UTC), cause.

    A model with states has its own subclass, with a foreign key whose related name is
    `transitions`.
    """

    field = models.CharField(max_length=20)
    old = models.CharField(max_length=20)
    new = models.CharField(max_length=20)
    reason_code = models.CharField(max_length=REASON_CODE_LENGTH, blank=True)
    reason = models.CharField(max_length=REASON_LENGTH, blank=True)  # in a person's own words
    actor = models.CharField(max_length=ACTOR_LENGTH, blank=True)  # empty: the program
    at = models.DateTimeField()

    class Meta:
        abstract = True


def transition(
    row: Any,
    field: str,
    new: str,
    *,
    allowed: Allowed,
    now: Any,
    cause: Cause = UNEXPLAINED,
    **also: object,
) -> bool:
    """Set `row.field` to `new`, and the columns in `also`, and write the audit row.

    Returns False if the row already has that value (a no-op). Raises IllegalTransition if `allowed`
    doesn't permit the change, and StaleState if the row changed since it was read.
    """
    moved = transition_all([row], field, new, allowed=allowed, now=now, cause=cause, **also)
    return bool(moved)


def transition_all(
    rows: Sequence[Any],
    field: str,
    new: str,
    *,
    allowed: Allowed,
    now: Any,
    cause: Cause = UNEXPLAINED,
    **also: object,
) -> list[Any]:
    """`transition` for several rows of one table: all of them or none.

    Returns the rows that changed.
    """
    moving = [row for row in rows if getattr(row, field) != new]
    by_old: dict[str, list[Any]] = {}
    for row in moving:
        old = getattr(row, field)
        if new not in allowed.get(old, frozenset()):
            raise IllegalTransition(f"{type(row).__name__} {row.pk}: {field} {old} → {new}")
        by_old.setdefault(old, []).append(row)
    # No savepoint: a failure must undo the caller's whole transaction.
    with transaction.atomic(savepoint=False):
        for old, group in by_old.items():
            _update_rows(group, field, old, new, also)
            _write_audit_rows(group, field=field, old=old, new=new, at=now, **cause.columns)
    for row in moving:
        for name, value in {field: new, **also}.items():
            setattr(row, name, value)
    return moving


def _update_rows(
    rows: list[Any], field: str, old: str, new: str, also: Mapping[str, object]
) -> None:
    table = type(rows[0])
    still_there = table.objects.filter(pk__in=[row.pk for row in rows], **{field: old})
    if still_there.update(**{field: new}, **also) != len(rows):
        names = ", ".join(str(row.pk) for row in rows)
        raise StaleState(f"{table.__name__} {names}: {field} is no longer {old}")


def _write_audit_rows(rows: list[Any], **facts: object) -> None:
    link = type(rows[0]).transitions.field
    link.model.objects.bulk_create(
        [link.model(restaurant_id=row.restaurant_id, **{link.name: row}, **facts) for row in rows]
    )
