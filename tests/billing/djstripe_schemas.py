"""Compares the tables of dj-stripe's own migrations with those of our squash, on two databases.

`python -m tests.billing.djstripe_schemas`, after an upgrade of dj-stripe: its own migrations take a
minute, too long for the suite. Uses the server of DATABASE_URL and drops both databases afterwards.
"""

import sys
import time

import django
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

Facts = set[tuple[object, ...]]

# A table's columns stand in another order where its own migrations added one later.
COLUMNS = """
    SELECT table_name, column_name, data_type, udt_name, is_nullable, column_default, is_identity,
           character_maximum_length, numeric_precision, numeric_scale, datetime_precision,
           collation_name, is_generated, generation_expression
    FROM information_schema.columns WHERE table_schema = 'public'
"""
CONSTRAINTS = """
    SELECT conrelid::regclass::text, conname, contype, condeferrable, condeferred, convalidated,
           pg_get_constraintdef(oid)
    FROM pg_constraint WHERE connamespace = 'public'::regnamespace
"""
INDEXES = "SELECT tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'"
POLICIES = """
    SELECT tablename, policyname, permissive, roles::text, cmd, qual, with_check
    FROM pg_policies WHERE schemaname = 'public'
"""
TABLES = """
    SELECT relname, relkind, relrowsecurity, relforcerowsecurity
    FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind <> 'i'
"""


def migrated(name: str) -> Facts:
    """Migrate a new database with the current settings, and return what its catalog then has."""
    from tests.database import _maintenance, drop_database, use

    original = connection.settings_dict["NAME"]
    with _maintenance() as session:
        drop_database(session, name)
        session.execute(f"CREATE DATABASE {name}")
    try:
        use(name)
        begun = time.process_time()
        call_command("migrate", verbosity=0, interactive=False)
        print(f"{name}: {time.process_time() - begun:.1f} s of processor time, without PostgreSQL")
        with connection.cursor() as cursor:
            facts: Facts = set()
            for query in (COLUMNS, CONSTRAINTS, INDEXES, POLICIES, TABLES):
                cursor.execute(query)
                facts |= {(query.split()[1], *row) for row in cursor.fetchall()}
        if "djstripe" not in settings.MIGRATION_MODULES:
            print_plan_of_the_squash()
        return facts
    finally:
        use(original)
        with _maintenance() as session:
            drop_database(session, name)


def print_plan_of_the_squash() -> None:
    """Print what a database with dj-stripe's own history would still have to run: nothing."""
    settings.MIGRATION_MODULES = SQUASH
    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    print(f"with its own history, the squash leaves to run: {plan or 'nothing'}")


SQUASH: dict[str, str] = {}


def main() -> int:
    django.setup()
    SQUASH.update(settings.MIGRATION_MODULES)
    squashed = migrated("djstripe_squashed")
    settings.MIGRATION_MODULES = {}
    own = migrated("djstripe_own")
    print(f"{len(own)} facts of its own migrations, {len(squashed)} of the squash")
    for fact in sorted(own ^ squashed, key=repr):
        print("only its own:" if fact in own else "only the squash:", *fact)
    return 1 if own != squashed else 0


if __name__ == "__main__":
    sys.exit(main())
