"""Two tests that stay for ever: nothing may slip past row-level security."""

import pytest
from django.db import connection

pytestmark = pytest.mark.django_db

UNPROTECTED = """
SELECT c.relname FROM pg_class c
JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'restaurant_id' AND NOT a.attisdropped
WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace
  AND NOT (c.relrowsecurity AND c.relforcerowsecurity)
"""


def test_the_role_of_the_application_cannot_bypass_row_level_security():
    with connection.cursor() as cursor:
        cursor.execute("SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user")
        assert cursor.fetchone() == (False,)


def test_every_table_with_a_restaurant_has_row_level_security_enabled_and_forced():
    with connection.cursor() as cursor:
        cursor.execute(UNPROTECTED)
        assert cursor.fetchall() == []


def test_every_protected_table_lets_through_only_its_own_rows():
    """A policy of another name or form would not be the one that was measured and tested."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT DISTINCT policyname, permissive, roles::text, cmd FROM pg_policies "
            "WHERE schemaname = 'public'"
        )
        assert cursor.fetchall() == [("tenant_isolation", "PERMISSIVE", "{public}", "ALL")]
