"""How a row changes its state: conditionally, once, with a record of it.

`transition()` is the only way a status column changes. The conditional `UPDATE … WHERE
status = old` lets exactly one of several racers win, and the audit row is written in the same
transaction.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import models, transaction

Allowed = Mapping[str, frozenset[str]]


class IllegalTransition(Exception):
    """The state machine has no arrow between these two; a fault of ours, never of a caller."""


class StaleState(Exception):
    """Somebody else moved the row since it was read."""


class TransitionRecord(models.Model):
    """One change of state: which field, from what, to what, when (UTC), why.

    A model whose state changes has a subclass of this that points to it as `transitions`.
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
    """Move `row.field` to `new`, writing the audit row and the columns in `also` with it.

    Returns False when the row is there already (a no-op). Raises IllegalTransition when the state
    machine has no such arrow, and StaleState when the row was moved meanwhile.
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
    """`transition` of several rows of one table: all of them or none.

    Returns those that were elsewhere before.
    """
    moving = [row for row in rows if getattr(row, field) != new]
    by_old: dict[str, list[Any]] = {}
    for row in moving:
        old = getattr(row, field)
        if new not in allowed.get(old, frozenset()):
            raise IllegalTransition(f"{type(row).__name__} {row.pk}: {field} {old} → {new}")
        by_old.setdefault(old, []).append(row)
    # Inside the caller's transaction no savepoint: a failure here undoes all of it.
    with transaction.atomic(savepoint=False):
        for old, group in by_old.items():
            _move(group, field, old, new, also)
            _record(group, field=field, old=old, new=new, reason=reason[:200], at=now)
    for row in moving:
        for name, value in {field: new, **also}.items():
            setattr(row, name, value)
    return moving


def _move(rows: list[Any], field: str, old: str, new: str, also: Mapping[str, object]) -> None:
    table = type(rows[0])
    still_there = table.objects.filter(pk__in=[row.pk for row in rows], **{field: old})
    if still_there.update(**{field: new}, **also) != len(rows):
        names = ", ".join(str(row.pk) for row in rows)
        raise StaleState(f"{table.__name__} {names}: {field} is no longer {old}")


def _record(rows: list[Any], **facts: object) -> None:
    link = type(rows[0]).transitions.field
    link.model.objects.bulk_create(
        [link.model(restaurant_id=row.restaurant_id, **{link.name: row}, **facts) for row in rows]
    )
