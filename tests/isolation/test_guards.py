"""Tests that must never go: nothing gets past row-level security."""

import pytest
from django.db import connection, transaction

from apps.common import rls

pytestmark = pytest.mark.django_db

WITH_A_RESTAURANT = """
SELECT c.relname FROM pg_class c
JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'restaurant_id' AND NOT a.attisdropped
WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace
"""
UNPROTECTED = f"{WITH_A_RESTAURANT} AND NOT (c.relrowsecurity AND c.relforcerowsecurity)"
POLICIES = """
SELECT tablename, policyname, permissive, roles::text, cmd, qual, with_check FROM pg_policies
WHERE schemaname = 'public'
"""


def test_the_role_of_the_application_cannot_bypass_row_level_security():
    with connection.cursor() as cursor:
        cursor.execute("SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user")
        assert cursor.fetchone() == (False,)


def unprotected_tables() -> set[str]:
    """Tables whose row-level security isn't enabled and forced, or isn't the one policy of `rls`.

    A policy of another name or form would not be the one that was measured and tested.
    """
    with connection.cursor() as cursor:
        cursor.execute(WITH_A_RESTAURANT)
        tables = {name for (name,) in cursor.fetchall()}
        assert len(tables) > 20
        cursor.execute(UNPROTECTED)
        wrong = {name for (name,) in cursor.fetchall()}
        cursor.execute("CREATE TABLE policy_as_written (restaurant_id uuid)")
        for operation in rls.protect("policy_as_written"):
            cursor.execute(str(operation.sql))
        cursor.execute(POLICIES)
        policies: dict[str, list[tuple[str, ...]]] = {}
        for table, *policy in cursor.fetchall():
            policies.setdefault(table, []).append(tuple(policy))
        cursor.execute("DROP TABLE policy_as_written")
    as_written = policies.pop("policy_as_written")
    assert len(as_written) == 1
    return wrong | {table for table in tables | set(policies) if policies.get(table) != as_written}


def test_every_table_with_a_restaurant_has_forced_row_level_security_and_the_one_policy():
    assert unprotected_tables() == set()


@pytest.mark.parametrize(
    "mutation",
    [
        "ALTER POLICY tenant_isolation ON {table} USING (true)",
        "ALTER POLICY tenant_isolation ON {table} WITH CHECK (true)",
        "ALTER POLICY tenant_isolation ON {table} TO pg_monitor",
        "ALTER POLICY tenant_isolation ON {table} RENAME TO another",
        "CREATE POLICY another ON {table} FOR SELECT USING (true)",
        "DROP POLICY tenant_isolation ON {table}",
        "ALTER TABLE {table} NO FORCE ROW LEVEL SECURITY",
        "ALTER TABLE {table} DISABLE ROW LEVEL SECURITY",
    ],
)
def test_a_changed_policy_is_noticed_on_any_table(mutation):
    with connection.cursor() as cursor:
        cursor.execute(WITH_A_RESTAURANT)
        tables = [name for (name,) in cursor.fetchall()]
        for table in tables:
            changed = transaction.savepoint()
            cursor.execute(mutation.format(table=table))
            assert unprotected_tables() == {table}
            transaction.savepoint_rollback(changed)
    assert unprotected_tables() == set()
