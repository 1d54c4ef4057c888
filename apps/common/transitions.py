"""State transitions: the only way a status column changes.

A conditional `UPDATE … WHERE status = old` lets exactly one of several concurrent callers win, and
the audit row is written in the same transaction.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import models, transaction

Allowed = Mapping[str, frozenset[str]]


class IllegalTransition(Exception):
    """The state machine doesn't allow this change; always a bug, never a user's mistake."""


class StaleState(Exception):
    """Another process changed the row's state since it was read."""


class TransitionRecord(models.Model):
    """The audit row of one state change: field, old and new value, time (UTC), reason.

    A model with states has its own subclass, with a foreign key whose related name is
    `transitions`.
    """

    field = models.CharField(max_length=20)
    old = models.CharField(max_length=20)
    new = models.CharField(max_length=20)
    reason = models.CharField(max_length=200, blank=True)
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
    reason: str = "",
    **also: object,
) -> bool:
    """Set `row.field` to `new`, and the columns in `also`, and write the audit row.

    Returns False if the row already has that value (a no-op). Raises IllegalTransition if `allowed`
    doesn't permit the change, and StaleState if the row changed since it was read.
    """
    moved = transition_all([row], field, new, allowed=allowed, now=now, reason=reason, **also)
    return bool(moved)


def transition_all(
    rows: Sequence[Any],
    field: str,
    new: str,
    *,
    allowed: Allowed,
    now: Any,
    reason: str = "",
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
            _write_audit_rows(group, field=field, old=old, new=new, reason=reason[:200], at=now)
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
