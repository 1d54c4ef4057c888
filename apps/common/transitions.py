"""How a row changes its state: conditionally, once, with a record of it.

`transition()` is the only way a status column changes. The conditional `UPDATE … WHERE
status = old` lets exactly one of several racers win, and the audit row is written in the same
transaction.
"""

from collections.abc import Mapping
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
    old = getattr(row, field)
    if old == new:
        return False
    if new not in allowed.get(old, frozenset()):
        raise IllegalTransition(f"{type(row).__name__} {row.pk}: {field} {old} → {new}")
    # Inside the caller's transaction no savepoint: a failure here undoes all of it.
    with transaction.atomic(savepoint=False):
        moved = type(row).objects.filter(pk=row.pk, **{field: old}).update(**{field: new}, **also)
        if moved != 1:
            raise StaleState(f"{type(row).__name__} {row.pk}: {field} is no longer {old}")
        row.transitions.create(
            restaurant_id=row.restaurant_id,
            field=field,
            old=old,
            new=new,
            reason=reason[:200],
            at=now,
        )
    for name, value in {field: new, **also}.items():
        setattr(row, name, value)
    return True
