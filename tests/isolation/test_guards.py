"""Three tests that stay for ever: nothing may slip past row-level security."""

import pytest
from django.db import connection

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


def test_every_table_with_a_restaurant_has_row_level_security_enabled_and_forced():
    with connection.cursor() as cursor:
        cursor.execute(UNPROTECTED)
        assert cursor.fetchall() == []


def test_every_table_with_a_restaurant_has_the_one_policy_of_rls():
    """A policy of another name or form would not be the one that was measured and tested."""
    with connection.cursor() as cursor:
        cursor.execute(WITH_A_RESTAURANT)
        tables = {name for (name,) in cursor.fetchall()}
        cursor.execute("CREATE TABLE policy_as_written (restaurant_id uuid)")
        for operation in rls.protect("policy_as_written"):
            cursor.execute(str(operation.sql))
        cursor.execute(POLICIES)
        policies: dict[str, list[tuple[str, ...]]] = {}
        for table, *policy in cursor.fetchall():
            policies.setdefault(table, []).append(tuple(policy))
    as_written = policies.pop("policy_as_written")
    assert len(as_written) == 1
    assert len(tables) > 20
    assert policies == dict.fromkeys(tables, as_written)
