"""`make check`: what a migration can do while the previous version still runs (docs/upgrading.md).

A release migrates first and restarts afterwards, so for a while the previous version works on the
new tables, while guests order. So a migration only adds, and holds no lock for a time that grows
with the table. A migration that creates a table can do anything to it, because nobody uses it yet.

A migration that must do more names each such operation, with the reason why it is safe:

    reviewed: ClassVar = {"RemoveField order.note": "nothing has read or written it since 1.4"}
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

from django.db import connection
from django.db.migrations import Migration, operations
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState
from django.db.models import NOT_PROVIDED, CheckConstraint, Field

STILL_USED = (
    "the running version still uses it: stop using it in one release, remove it in the next"
)
ALWAYS_BREAKING: dict[type[Operation], str] = {
    operations.RemoveField: STILL_USED,
    operations.DeleteModel: STILL_USED,
    operations.RenameField: STILL_USED,
    operations.RenameModel: STILL_USED,
    operations.AlterModelTable: STILL_USED,
    operations.AddIndex: (
        "CREATE INDEX stops writes: use AddIndexConcurrently in a migration with atomic = False"
    ),
    operations.RemoveIndex: (
        "DROP INDEX waits for every reader: use RemoveIndexConcurrently with atomic = False"
    ),
    operations.AlterUniqueTogether: "builds a unique index while writes wait",
    operations.RunSQL: "nobody knows what it locks",
}
CHECKED_AT_ONCE = (
    "the whole table is checked while it is locked: use AddConstraintNotValid, and "
    "ValidateConstraint in a migration of its own"
)
UNIQUE = "builds a unique index while writes wait: build the index concurrently first"
NO_DEFAULT = (
    "the running version inserts rows without it: make it nullable, or give it a db_default"
)
REWRITES = "rewrites or checks the whole table while it is locked"
MIXED = "changes rows in a transaction that locks tables: give it a migration of its own"


def problems_of(migration: Migration, before: ProjectState) -> Iterator[tuple[str, str]]:
    """The operations that aren't allowed, as `reviewed` names them, and why. `before` is the state
    that the migration finds; it isn't changed."""
    state = before.clone()
    created: set[str] = set()
    for operation in migration.operations:
        if isinstance(operation, operations.CreateModel):
            created.add(operation.name_lower)
        elif problem := _problem(migration, operation, state, created):
            yield _name(operation), problem
        operation.state_forwards(migration.app_label, state)


def unreviewed(migration: Migration, before: ProjectState) -> list[str]:
    """The problems that the migration gives no reason for, and reasons that fit no problem."""
    reviewed: dict[str, str] = getattr(migration, "reviewed", {})
    found = dict(problems_of(migration, before))
    missing = [
        f"{name}: {why}" for name, why in found.items() if not reviewed.get(name, "").strip()
    ]
    idle = [f"{name}: is reviewed, but needs no review" for name in reviewed if name not in found]
    return missing + idle


def _model_of(operation: Operation) -> str:
    name = getattr(operation, "model_name", None) or getattr(operation, "name", "")
    return str(name).lower()


def _is_of(migration: Migration, operation: Operation, created: set[str]) -> bool:
    """Whether a RunSQL comes with the tables that the same migration creates: row-level security
    and triggers, which name them."""
    if not isinstance(operation, operations.RunSQL):
        return False
    tables = {f"{migration.app_label}_{name}" for name in created}
    return any(table in str(operation.sql) for table in tables)


def _name(operation: Operation) -> str:
    field = getattr(operation, "name", "") if hasattr(operation, "model_name") else ""
    if isinstance(operation, operations.RenameField):
        field = operation.old_name
    kind, model = type(operation).__name__, _model_of(operation)
    return f"{kind} {model}.{field}" if field else f"{kind} {model}".strip()


def _problem(
    migration: Migration, operation: Operation, state: ProjectState, created: set[str]
) -> str:
    if _model_of(operation) in created or _is_of(migration, operation, created):
        return ""
    if why := ALWAYS_BREAKING.get(type(operation)):
        return why
    if isinstance(operation, operations.AddField):
        return _added(operation.field)
    if isinstance(operation, operations.AlterField):
        model = state.models[migration.app_label, operation.model_name_lower]
        return _altered(model.fields[operation.name], operation.field)
    if type(operation) is operations.AddConstraint:
        return CHECKED_AT_ONCE if isinstance(operation.constraint, CheckConstraint) else UNIQUE
    if isinstance(operation, operations.RunPython) and len(migration.operations) > 1:
        return MIXED
    return ""


def _added(field: Field[Any, Any]) -> str:
    if field.many_to_many:
        return ""
    if not field.null and field.db_default is NOT_PROVIDED:
        return NO_DEFAULT
    return UNIQUE if field.unique else ""


def _altered(old: Field[Any, Any], new: Field[Any, Any]) -> str:
    if old.null and not new.null:
        return REWRITES
    if new.unique and not old.unique:
        return UNIQUE
    if getattr(new, "db_index", False) and not getattr(old, "db_index", False):
        return ALWAYS_BREAKING[operations.AddIndex]
    return "" if _fits(old, new) else REWRITES


def _fits(old: Field[Any, Any], new: Field[Any, Any]) -> bool:
    """Whether every value of the old column fits the new one without a look at each, as when a text
    can become longer: https://www.postgresql.org/docs/current/sql-altertable.html"""
    types = [each.db_parameters(connection)["type"] for each in (old, new)]
    if types[0] == types[1]:
        return True
    lengths = [getattr(each, "max_length", None) or float("inf") for each in (old, new)]
    are_texts = all(str(each).startswith(("varchar", "text")) for each in types)
    return are_texts and lengths[0] <= lengths[1]


def main() -> int:
    loader = MigrationLoader(None, load=False)
    loader.load_disk()
    found = []
    states: dict[str, ProjectState] = {}
    for (app, name), migration in sorted(loader.disk_migrations.items()):
        if not migration.__module__.startswith("apps.") or "djstripe" in app:
            continue
        # Only of its own app: no rule looks at another app's tables.
        before = states.setdefault(app, ProjectState())
        found += [f"{app}.{name}: {each}" for each in unreviewed(migration, before)]
        for operation in migration.operations:
            operation.state_forwards(app, before)
    for each in found:
        print(each)
    return 1 if found else 0


if __name__ == "__main__":
    import django

    django.setup()
    sys.exit(main())
