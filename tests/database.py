"""One migrated database for the whole suite, copied for each worker.

Migrating takes seconds; `CREATE DATABASE … TEMPLATE` a fraction of one. The template is named after
the migrations it holds, so it outlives the run and is rebuilt only when they change.
"""

import hashlib
import inspect
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

import psycopg
import pytest
from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from psycopg import sql
from psycopg._preparing import Prepare, PrepareManager

from apps.activity import append_only
from apps.common import rls

MAINTENANCE = "postgres"
PRESERVED = {"django_migrations", "django_content_type", "auth_permission"}
# A trigger refuses to delete their rows.
APPEND_ONLY = {
    "activity_loggedevent",
    "billing_conversion",
    "billing_feeinvoice",
    "billing_ledgerseal",
    "billing_monthlybillingcycle",
    "billing_paymenthistory",
    "billing_platformfee",
}
TEMPLATE_PREFIX = "test_template_"
PREPARED_STATEMENTS = 1_000  # of one connection; a test run sends a few thousand different ones
BUILDING_TEMPLATE = 7_210_001  # any number: the key of the lock held while it is built


def _migration_files() -> Iterator[tuple[str, Path]]:
    """Each migration's name and file. They are not imported: that takes each worker a second."""
    for app in sorted(apps.get_app_configs(), key=lambda app: app.label):
        name, _ = MigrationLoader.migrations_module(app.label)
        try:
            package = import_module(name or "")
        except (ModuleNotFoundError, ValueError):  # an app without migrations
            continue
        for finder, module, _ in sorted(iter_modules(package.__path__), key=lambda found: found[1]):
            yield f"{app.label}.{module}", Path(finder.path) / f"{module}.py"  # type: ignore[union-attr]


def _migrations_digest() -> str:
    """A digest that changes whenever a migration, or what migrations install, changes."""
    digest = hashlib.sha256()
    for installed in (rls, append_only):
        digest.update(Path(inspect.getfile(installed)).read_bytes())
    for name, file in _migration_files():
        digest.update(name.encode())
        digest.update(file.read_bytes())
    return digest.hexdigest()[:12]


@contextmanager
def _maintenance() -> Iterator[Any]:
    parameters = {**connection.get_connection_params(), "dbname": MAINTENANCE}
    for name in ("cursor_factory", "context"):
        parameters.pop(name, None)
    with psycopg.connect(**parameters, autocommit=True) as session:
        yield session


def _databases(session: Any, prefix: str) -> list[str]:
    found = session.execute(
        "SELECT datname FROM pg_database WHERE starts_with(datname, %s)", (prefix,)
    )
    return [name for (name,) in found]


def drop_database(session: Any, name: str) -> None:
    """Drop the database `name`; `session` is a connection to another one, or its cursor."""
    # WITH (FORCE) is refused while autovacuum, which belongs to the superuser, looks at the
    # database. Without it PostgreSQL sends autovacuum away, and waits for clients to be gone.
    session.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        " WHERE datname = %s AND backend_type = 'client backend'",
        (name,),
    )
    session.execute(sql.SQL("DROP DATABASE IF EXISTS {}").format(sql.Identifier(name)))


def use(name: str) -> None:
    """Make Django's connection lead to the database `name` from now on."""
    connection.close()
    settings.DATABASES["default"]["NAME"] = name
    connection.settings_dict["NAME"] = name


def _build_template(session: Any, name: str) -> None:
    for outdated in _databases(session, TEMPLATE_PREFIX):
        drop_database(session, outdated)
    unfinished = f"unfinished_{name}"
    drop_database(session, unfinished)
    session.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(unfinished)))
    use(unfinished)
    call_command("migrate", verbosity=0, interactive=False)
    connection.close()
    # It gets its real name only when it is complete, so a run that is killed while migrating leaves
    # no template.
    session.execute(
        sql.SQL("ALTER DATABASE {} RENAME TO {}").format(
            sql.Identifier(unfinished), sql.Identifier(name)
        )
    )


@contextmanager
def copy_for(worker: str) -> Iterator[str]:
    """A migrated database of this worker's own, dropped afterwards; yields its name."""
    original = connection.settings_dict["NAME"]
    template = f"{TEMPLATE_PREFIX}{_migrations_digest()}"
    mine = f"test_{original}_{worker}"
    with _maintenance() as session:
        # One worker migrates or copies at a time, because a template in use can't be copied.
        session.execute("SELECT pg_advisory_lock(%s)", (BUILDING_TEMPLATE,))
        if template not in _databases(session, TEMPLATE_PREFIX):
            _build_template(session, template)
        drop_database(session, mine)
        session.execute(
            sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(
                sql.Identifier(mine), sql.Identifier(template)
            )
        )
    use(mine)
    try:
        yield mine
    finally:
        use(original)
        with _maintenance() as session:
            drop_database(session, mine)


def keep_prepared_statements(patch: pytest.MonkeyPatch) -> None:
    """Keep what a connection has prepared when a test's transaction is rolled back.

    psycopg forgets all of it then, in case tables were created in that transaction:
    https://www.psycopg.org/psycopg3/docs/advanced/prepare.html. Every test ends with a rollback,
    and after each its statements would be parsed and planned again, which was a sixth of
    PostgreSQL's work.
    """
    discards = PrepareManager._should_discard

    def discards_after_changes(
        manager: PrepareManager, prepared: Prepare, results: Sequence[Any]
    ) -> bool:
        changes = [each for each in results if each.command_status != b"ROLLBACK"]
        return discards(manager, prepared, changes)

    patch.setattr(PrepareManager, "_should_discard", discards_after_changes)
    patch.setattr(PrepareManager, "prepared_max", PREPARED_STATEMENTS)


def empty() -> None:
    """Delete every row that a test committed, as Django's `flush` does, but only from tables that
    have some. Truncating the hundred others, and asking every app to fill its tables again, takes a
    second.
    """
    tables = [name for name in connection.introspection.table_names() if name not in PRESERVED]
    with rls.acting_as(rls.PLATFORM), connection.cursor() as cursor:
        probes = (f"SELECT '{name}' WHERE EXISTS (SELECT FROM \"{name}\")" for name in tables)
        cursor.execute(" UNION ALL ".join(probes))
        filled = [name for (name,) in cursor.fetchall()]
        # In one transaction, so that references are checked when all rows are gone. TRUNCATE makes
        # new files for each table and its indexes: 200 ms instead of 20.
        if filled:
            locked = [name for name in filled if name in APPEND_ONLY]
            statements = [
                *(_switched(name, "DISABLE") for name in locked),
                *(f'DELETE FROM "{name}"' for name in filled),
                "SET CONSTRAINTS ALL IMMEDIATE",  # what is left to be checked forbids ALTER TABLE
                *(_switched(name, "ENABLE") for name in locked),
            ]
            cursor.execute("; ".join(statements))


def _switched(table: str, to: str) -> str:
    return f'ALTER TABLE "{table}" {to} TRIGGER append_only'


@contextmanager
def unlocked(*tables: str) -> Iterator[None]:
    """Let the test change rows of append-only tables, as only their owner could."""
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        for table in tables:
            cursor.execute(_switched(table, "DISABLE"))
        yield
        for table in tables:
            cursor.execute(_switched(table, "ENABLE"))
